import type { LiveEvent } from "@x/runtime";

import { paint } from "./colour.ts";
import { oneLine } from "./terminal-text.ts";
import { errorMessage } from "./watch-errors.ts";

const longestLabel = 60;
const longestPayload = 100;
const longestError = 200;

const timeOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** One event on one line: when, from whom, what. */
export function eventLine({ event, source }: LiveEvent): string {
  const start = `${paint("dim", timeOf(event.id.ms))}  ${paint("cyan", oneLine(source.name, 20).padEnd(14))}`;
  if (event.stream === "$errors")
    return `${start}${paint("red", `! ${oneLine(errorMessage(event.payload), longestError)}`)}`;
  const label = event.summary === undefined ? "" : `${oneLine(event.summary, longestLabel)}  `;
  return `${start}${label}${paint("dim", oneLine(event.payload, longestPayload))}`;
}
