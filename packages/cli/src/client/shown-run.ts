import type { ExecutionSummary } from "@x/client";

import { oneLine, paint } from "../terminal/terminal-text.ts";
import { inLine } from "../terminal/visible.ts";

const longest = 200;

/** Local time in a sortable format. */
export const timeOf = (ms: number): string => new Date(ms).toLocaleString("sv-SE");

/** A duration, such as `3.2 ms`, `480 ms` or `12.5 s`. */
export function durationText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

/** A status, in the colour of its meaning. */
export const statusText = (status: string): string => paint(status === "ok" ? "green" : "red", status);

const whatOf = ({ entry, trigger, replay_of: origin }: ExecutionSummary): string =>
  `${entry === "run" ? trigger : `hook ${entry}`}${origin === null ? "" : " (replay)"}`;

/** What an execution did or why it failed, on one line. */
function outcomeOf({ error, summary, emitted_count: emitted, deduped, undone }: ExecutionSummary): string {
  const parts = [
    ...(emitted > 0 ? [`${emitted} emitted`] : []),
    ...(deduped > 0 ? [`${deduped} dropped`] : []),
    ...(undone ? ["undone"] : []),
    ...(error ? [paint("red", oneLine(`${error.name}: ${error.message}`, longest))] : []),
    ...(error || summary === null ? [] : [oneLine(summary, longest)]),
  ];
  return parts.join("  ");
}

/** An execution in a list: columns, and what it did. `name`: of its source; absent in the list of one source. */
export const runRow = (run: ExecutionSummary, name: string | undefined): string[] => [
  timeOf(run.started_at),
  run.execution_id,
  ...(name === undefined ? [] : [inLine(name)]),
  whatOf(run),
  durationText(run.duration_ms),
  run.status,
  outcomeOf(run),
];

/** An execution as a line of its own, without columns. */
export const runLine = (run: ExecutionSummary, name: string | undefined): string => {
  const [time = "", id = "", ...rest] = runRow(run, name);
  return [paint("dim", time), id, ...rest.slice(0, -2), statusText(run.status), outcomeOf(run)].join("  ").trimEnd();
};
