import type { DroppedEmit, Json, LogRecord, ObservedExecution, StoredEvent } from "@x/runtime";
import { explainDrop } from "@x/runtime";

import type { Call } from "./traffic/calls.ts";
import type { Dropped, Emit, EntryName, ErrorRecord, LogLine, Run } from "./records.ts";

const parse = (text: string): Json => (text === "" ? null : (JSON.parse(text) as Json));

/** Fields that are absent stay absent, so that tests can compare whole records. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

interface Place {
  readonly entry: EntryName;
  readonly at: number;
}

function emitOf(event: StoredEvent, { entry }: Place): Emit {
  const { payload, dedupeId: id, summary, ts, name } = event;
  const fields = given({ id, summary, ts }) as { id?: string; summary?: string; ts?: number };
  return { event: parse(payload), ...fields, channel: name, entry, at: event.indexedAt, eventId: event.id };
}

function droppedOf(emit: DroppedEmit, place: Place): Dropped {
  const { payload, id, summary, ts, name = "", reason } = emit;
  const fields = given({ id, summary, ts }) as { id?: string; summary?: string; ts?: number };
  return { event: parse(payload), ...fields, channel: name, ...place, reason, because: explainDrop(emit) };
}

function logsOf(records: readonly LogRecord[], { entry }: Place): LogLine[] {
  return records.flatMap(({ k, msg = "", data = [], ts }) => {
    const [kind, level] = k.split(".");
    return kind === "console" ? [{ level: level as LogLine["level"], message: msg, data, entry, at: ts }] : [];
  });
}

/** Stacks name files from the component's root; `placeOf` says where they are. */
export type PlaceOf = (stack: string) => string;

function errorOf({ execution }: ObservedExecution, place: Place, placeOf: PlaceOf): ErrorRecord | undefined {
  if (!execution.error) return undefined;
  const { stack, ...error } = execution.error;
  return { ...error, stack: placeOf(stack), ...place };
}

/** What was observed of a call of the component, in the harness's words. */
export function observedRun(observed: ObservedExecution, calls: readonly Call[], placeOf: PlaceOf): Run {
  const { entry, at, execution } = observed;
  const place = { entry, at };
  return {
    entry,
    source: observed.type.toLowerCase() as Run["source"],
    event: parse(observed.event),
    at,
    status: execution.status as Run["status"],
    emits: observed.emitted.map((event) => emitOf(event, place)),
    deduped: observed.dropped.map((emit) => droppedOf(emit, place)),
    logs: logsOf(execution.logs, place),
    error: errorOf(observed, place, placeOf),
    db: Object.fromEntries([...observed.db].map(([key, value]) => [key, value === undefined ? value : parse(value)])),
    calls,
    exports: execution.exports,
    steps: observed.steps,
  };
}
