import type { Json, LiveEvent } from "@x/runtime";

import { oneLine, paint } from "./terminal-text.ts";

const maxLabelLength = 60;
const maxPayloadLength = 100;
const maxErrorLength = 200;

const timeOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** How every line about a source begins: when, and from whom. */
export const lineStart = (ms: number, name?: string): string =>
  `${paint("dim", timeOf(ms))}  ${name === undefined ? "" : `${paint("cyan", oneLine(name, 20).padEnd(12))}  `}`;

/** What an event is about, and itself. */
export function eventText(summary: string | undefined, payload: string): string {
  const label = summary === undefined ? "" : `${oneLine(summary, maxLabelLength)}  `;
  return `${label}${paint("dim", oneLine(payload, maxPayloadLength))}`;
}

interface ErrorRecord {
  readonly error?: { readonly msg?: Json };
}

/** The message in the payload of a `$errors` event. */
export function errorMessage(payload: string): string {
  const message = (JSON.parse(payload) as ErrorRecord).error?.msg;
  return typeof message === "string" ? message : "unknown error";
}

/** One event on one line: when, from whom, what. */
export function eventLine({ event, source }: LiveEvent): string {
  const start = lineStart(event.indexedAt, source.name);
  if (event.stream === "$errors")
    return `${start}${paint("red", `! ${oneLine(errorMessage(event.payload), maxErrorLength)}`)}`;
  return start + eventText(event.summary, event.payload);
}
