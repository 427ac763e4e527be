import type { Call } from "./traffic/calls.ts";
import type { Run } from "./records.ts";
import { shown } from "./shown.ts";

/** One thing that happened. */
export interface TimelineEntry {
  /** Epoch ms on the test's clock. */
  readonly at: number;
  readonly kind: "step" | "run" | "call" | "log" | "db" | "dataStore" | "emit" | "drop" | "export" | "error";
  /** One line. */
  readonly text: string;
}

/** A request to an upstream as one line. */
export const callLine = ({ method, url, status, error }: Call): string =>
  `${method} ${url} -> ${status ?? `failed: ${error ?? "no answer yet"}`}`;

/** A run and its effects; requests come first. */
export function linesOf(run: Run): TimelineEntry[] {
  const lines: TimelineEntry[] = [];
  const add = (kind: TimelineEntry["kind"], text: string, at = run.at): void => void lines.push({ at, kind, text });
  const label = (channel: string): string => (channel === "" ? "" : ` on ${channel}`);
  const steps = run.steps.length === 0 ? "" : ` through ${run.steps.join(", ")}`;
  add("run", run.entry === "run" ? `run (${run.source}) ${shown(run.event)}${steps}` : `hook ${run.entry}`);
  for (const call of run.calls) add("call", callLine(call), call.at);
  for (const { level, message, at } of run.logs) add("log", `console.${level} ${message}`, at);
  const write = (key: string, value: unknown): string =>
    value === undefined ? `delete ${key}` : `set ${key} = ${shown(value)}`;
  for (const [key, value] of Object.entries(run.db)) add("db", `db.${write(key, value)}`);
  for (const [name, written] of Object.entries(run.dataStores))
    for (const [key, value] of Object.entries(written)) add("dataStore", `data store ${name}: ${write(key, value)}`);
  for (const { event, channel, id } of run.emits)
    add("emit", `emit${label(channel)} ${shown(event)}${id === undefined ? "" : ` (id ${id})`}`);
  for (const { event, channel, because } of run.deduped)
    add("drop", `dropped${label(channel)} ${shown(event)}: ${because}`);
  if (run.exports !== undefined) add("export", `left ${shown(run.exports)}`);
  if (run.error) add("error", `${run.error.name}: ${run.error.message}`);
  return lines;
}

/** The entries as text, each with the time since `startMs`. */
export function storyOf(entries: readonly TimelineEntry[], startMs: number): string {
  const since = (at: number): string => {
    const total = Math.max(0, at - startMs);
    const part = (unitMs: number, size: number): string => String(Math.floor(total / unitMs) % size).padStart(2, "0");
    const ms = total % 1_000;
    const hours = String(Math.floor(total / 3_600_000)).padStart(2, "0");
    return `${hours}:${part(60_000, 60)}:${part(1_000, 60)}${ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`}`;
  };
  return entries
    .map(({ at, kind, text }) => `+${since(at)} ${kind === "step" || kind === "run" ? "" : "  "}${text}`)
    .join("\n");
}
