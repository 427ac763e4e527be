import type { Json, LogRecord } from "@x/runtime";

import { oneLine, paint } from "../terminal/terminal-text.ts";
import { inLine } from "../terminal/visible.ts";

/** An execution in a list or stream of the REST interface. */
export interface ShownRun {
  readonly execution_id: string;
  readonly source_id: string;
  readonly entry: string;
  readonly trigger: string;
  readonly status: string;
  readonly undone?: boolean;
  readonly replay_of: string | null;
  readonly cause: {
    readonly source_id: string;
    readonly event_id: string | null;
    readonly execution_id?: string;
  } | null;
  readonly queued_at: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly duration_ms: number;
  readonly phases: { readonly queued_ms: number; readonly sandbox_ms: number; readonly commit_ms: number | null };
  readonly compute_ms: number;
  readonly memory_bytes: number;
  readonly emitted_count: number;
  readonly deduped: number;
  readonly log_count: number;
  readonly call_count: number;
  readonly db_change_count: number;
  readonly summary: string | null;
  readonly error: { readonly name: string; readonly message: string } | null;
}

interface ShownPayload {
  readonly name: string;
  readonly summary?: string;
  readonly dedupe_id?: string;
  readonly payload: Json;
  readonly payload_bytes: number;
  readonly truncated?: boolean;
}

export interface ShownEmit extends ShownPayload {
  readonly id: string;
  readonly listeners: readonly {
    readonly id: string;
    readonly delivery_id?: string;
    readonly execution_id?: string;
    readonly skipped?: string;
  }[];
}

export interface ShownDrop extends ShownPayload {
  readonly reason: string;
  readonly remembered?: string;
}

export interface ShownCall {
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly error?: string;
  readonly started_ms: number;
  readonly duration_ms: number | null;
  readonly request_bytes: number;
  readonly response_bytes: number | null;
}

export interface ShownDbChange {
  readonly key: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly truncated?: boolean;
}

/** An execution with everything that it received and did. */
export interface ShownRunDetail extends Omit<ShownRun, "error"> {
  readonly event: Json;
  readonly event_bytes: number;
  readonly event_truncated?: boolean;
  /** A request to an endpoint as it was received. */
  readonly request?: {
    readonly method: string;
    readonly target: string;
    readonly http_version: string | null;
    readonly headers: readonly (readonly [name: string, value: string])[];
  };
  readonly emitted: readonly ShownEmit[];
  readonly dropped: readonly ShownDrop[];
  readonly logs: readonly LogRecord[];
  readonly steps: readonly { readonly name: string; readonly started_ms: number }[];
  readonly calls: readonly ShownCall[];
  readonly db: readonly ShownDbChange[];
  readonly response: {
    readonly status: number;
    readonly body?: string;
    readonly body_bytes: number;
  } | null;
  readonly error: {
    readonly name: string;
    readonly message: string;
    readonly stack: string;
    readonly hint?: string;
    readonly frame?: string;
  } | null;
}

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

const whatOf = ({ entry, trigger, replay_of: origin }: ShownRun): string =>
  `${entry === "run" ? trigger : `hook ${entry}`}${origin === null ? "" : " (replay)"}`;

/** What an execution did or why it failed, on one line. */
function outcomeOf({ error, summary, emitted_count: emitted, deduped, undone }: ShownRun): string {
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
export const runRow = (run: ShownRun, name: string | undefined): string[] => [
  timeOf(run.started_at),
  run.execution_id,
  ...(name === undefined ? [] : [inLine(name)]),
  whatOf(run),
  durationText(run.duration_ms),
  run.status,
  outcomeOf(run),
];

/** An execution as a line of its own, without columns. */
export const runLine = (run: ShownRun, name: string | undefined): string => {
  const [time = "", id = "", ...rest] = runRow(run, name);
  return [paint("dim", time), id, ...rest.slice(0, -2), statusText(run.status), outcomeOf(run)].join("  ").trimEnd();
};
