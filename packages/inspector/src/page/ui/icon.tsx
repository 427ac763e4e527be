import type { JSX } from "preact";

/** Outlines on a grid of 16. */
const paths = {
  sources: "M2 4.5h12M2 8h12M2 11.5h12",
  runs: "M2.500 8h2.500l2-5 3 10 2-5h1.500",
  logs: "m3 4.500 3.500 3.500L3 11.500M8.500 11.500h4.500",
  overview: "M2 13V8m4 5V4m4 9V6m4 7V2.5",
  flow: "M3.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm9 4.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm-9 3.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM5 4c4 0 2 4.500 6 4.500M5 12c4 0 2-3.500 6-3.500",
  deploy: "M8 10.500V2.500M4.500 6 8 2.500 11.500 6M2.500 10.500v3h11v-3",
  save: "M8 2.500v8M4.500 7 8 10.500 11.500 7M2.500 10.500v3h11v-3",
  webhooks:
    "M6.500 9.500a2.100 2.100 0 0 1 0-3l2.300-2.300a2.100 2.100 0 0 1 3 3l-1 1M9.500 6.500a2.100 2.100 0 0 1 0 3l-2.300 2.300a2.100 2.100 0 0 1-3-3l1-1",
  workflows: "M2.500 2.500h4v4h-4zM9.500 9.500h4v4h-4zM6.500 4.500h5v5",
  accounts:
    "M10.500 7a2.500 2.500 0 1 0-2.300-3.500A2.500 2.500 0 0 0 8.500 6L2.500 12v1.500H5V12h1.500v-1.500H8L9.800 6.900",
  apps: "M2.500 2.500h4v4h-4zM9.500 2.500h4v4h-4zM2.500 9.500h4v4h-4zM9.500 9.500h4v4h-4z",
  users:
    "M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-4 6c0-2.500 1.800-4 4-4s4 1.500 4 4m0-11a2.500 2.500 0 0 1 0 5m2 2.300c1.300.7 2 2 2 3.700",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3.200l2 1.300",
  search: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9Zm3.300-1.200L14 14",
  play: "M4.500 3v10l8-5z",
  resume: "M3.500 3.500v9M6.500 3.500v9l7-4.500z",
  pause: "M5.500 3.500v9m5-9v9",
  remove: "M2.500 4.500h11m-7-2h3m-5.500 2 .6 9h6.800l.6-9m-5 2.500v4m2-4v4",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  check: "m3 8.500 3.500 3.500L13 4.500",
  close: "m4 4 8 8m0-8-8 8",
  menu: "M2 4.500h12M2 8h12M2 11.500h12",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-9.500v1m0 11v1m6.500-6.500h-1m-11 0h-1m11.100-4.600-.7.700M4.100 11.900l-.7.700m9.200 0-.7-.7M4.100 4.100l-.7-.7",
  moon: "M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7Z",
  screen: "M2 3h12v8H2zm4 10.500h4M8 11v2.500",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.300 6.300c.2-2.300 3.500-2.200 3.400-.1C9.600 7.600 8 7.500 8 9m0 2v.2",
  leave: "M6.500 2.500h-4v11h4M6 8h8m-3-3 3 3-3 3",
  reload: "M13 8a5 5 0 1 1-1.500-3.500L13 6m0-3.500V6H9.500",
  edit: "m10.500 3 2.500 2.500-7.500 7.500H3v-2.500z",
  add: "M8 3v10M3 8h10",
  less: "M3 8h10",
  fit: "M2.500 6V2.500H6m4 0h3.500V6m0 4v3.500H10m-4 0H2.500V10",
  warn: "M8 2.500 14 13H2zM8 6.500v3m0 1.700v.2",
  chevron: "m6 3.500 4.500 4.500L6 12.500",
  down: "m3.500 6 4.500 4.500L12.500 6",
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a text, or in a labelled button. */
export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
