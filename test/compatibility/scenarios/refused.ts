import { type Scenario, tick } from "../scenario.ts";

/** What was refused once, though Node takes it. */
export const onceRefused: readonly Scenario[] = [
  {
    title: "packages see no browser",
    component: "refused/no-browser.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "numbers, a folder, and optional props of services that are not here",
    component: "refused/optional-types.mjs",
    packages: [],
    // Node's reference gives what is configured.
    props: { share: 0.25, files: { path: "/tmp" } },
    steps: [tick],
  },
  {
    title: "sockets, scripts and handles are looked at when a module is loaded",
    component: "refused/node-at-load.cjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "a source without run emits the ticks of its timer",
    component: "refused/schedule.mjs",
    packages: [],
    steps: [tick, tick],
  },
];
