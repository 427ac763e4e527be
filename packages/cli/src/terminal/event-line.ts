import type { Json, LiveEvent } from "@x/runtime";

import { oneLine, paint } from "./terminal-text.ts";

const maxLabelLength = 60;
const maxPayloadLength = 100;
const maxErrorLength = 200;

const timeOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** The start of every line about a source: time and name. */
export const lineStart = (ms: number, name?: string): string =>
  `${paint("dim", timeOf(ms))}  ${name === undefined ? "" : `${paint("cyan", oneLine(name, 20).padEnd(12))}  `}`;

/** The summary and payload of an event. */
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

/** One event on one line: time, source, content. */
export function eventLine({ event, source }: LiveEvent): string {
  const start = lineStart(event.indexedAt, source.name);
  if (event.stream === "$errors")
    return `${start}${paint("red", `! ${oneLine(errorMessage(event.payload), maxErrorLength)}`)}`;
  return start + eventText(event.summary, event.payload);
}
