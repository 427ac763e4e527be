import type { DroppedEmit, Json, LogRecord, ObservedExecution, StoredEvent } from "@x/runtime";
import { explainDrop } from "@x/runtime";

import { type Call, headersOf, readBody } from "./traffic/calls.ts";
import type { Dropped, Emit, EntryName, ErrorRecord, LogLine, Run } from "./records.ts";

const parse = (text: string): Json => (text === "" ? null : (JSON.parse(text) as Json));

/** Without undefined fields, so that tests can compare whole records. */
const metadataOf = (fields: object): Pick<Emit, "id" | "summary" | "ts"> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

interface Entry {
  readonly entry: EntryName;
  /** Epoch ms on the test's clock. */
  readonly at: number;
}

function emitOf(event: StoredEvent, { entry }: Entry): Emit {
  const { payload, dedupeId: id, summary, ts, name } = event;
  return {
    event: parse(payload),
    ...metadataOf({ id, summary, ts }),
    channel: name,
    entry,
    at: event.indexedAt,
    eventId: event.id,
  };
}

function droppedOf(emit: DroppedEmit, entry: Entry): Dropped {
  const { payload, id, summary, ts, name = "", reason } = emit;
  return {
    event: parse(payload),
    ...metadataOf({ id, summary, ts }),
    channel: name,
    ...entry,
    reason,
    because: explainDrop(emit),
  };
}

function logsOf(records: readonly LogRecord[], { entry }: Entry): LogLine[] {
  return records.flatMap(({ k, msg = "", data = [], ts }) => {
    const [kind, level] = k.split(".");
    return kind === "console" ? [{ level: level as LogLine["level"], message: msg, data, entry, at: ts }] : [];
  });
}

type WithPaths = (stack: string) => string;

function errorOf({ execution }: ObservedExecution, entry: Entry, withPaths: WithPaths): ErrorRecord | undefined {
  if (!execution.error) return undefined;
  const { stack, ...error } = execution.error;
  return { ...error, stack: withPaths(stack), ...entry };
}

interface ShownResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly body: string;
}

/** The response as the runtime shows it, with its body parsed. */
function responseOf({ response }: ObservedExecution["execution"]): Pick<Run, "response"> {
  if (response === null) return {};
  const { status, headers: given, body } = response as unknown as ShownResponse;
  const headers = headersOf(
    Object.entries(given).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
  );
  return { response: { status, headers, body: readBody(body, headers["content-type"] ?? null) } };
}

const writtenOf = (writes: Iterable<readonly [string, string | undefined]>): Run["db"] =>
  Object.fromEntries([...writes].map(([key, value]) => [key, value === undefined ? value : parse(value)]));

const dataStoresOf = ({ dataStores }: ObservedExecution): Run["dataStores"] =>
  Object.fromEntries(
    [...Map.groupBy(dataStores, ({ name }) => name)].map(([name, writes]) => [
      name,
      writtenOf(writes.map(({ key, value }) => [key, value])),
    ]),
  );

/** The record of a call that the runtime reported. `withPaths` replaces the files of a stack by their paths. */
export function observedRun(observed: ObservedExecution, calls: readonly Call[], withPaths: WithPaths): Run {
  const { entry: name, at, execution } = observed;
  const entry = { entry: name, at };
  return {
    entry: name,
    source: observed.type.toLowerCase() as Run["source"],
    event: parse(observed.event),
    at,
    status: execution.status as Run["status"],
    emits: observed.emitted.map((event) => emitOf(event, entry)),
    deduped: observed.dropped.map((emit) => droppedOf(emit, entry)),
    logs: logsOf(execution.logs, entry),
    error: errorOf(observed, entry, withPaths),
    db: writtenOf(observed.db),
    dataStores: dataStoresOf(observed),
    calls,
    ...responseOf(execution),
    exports: execution.exports,
    steps: observed.steps,
  };
}
