import {
  createEngine,
  createRuntime,
  defaults,
  type DroppedEmit,
  type Engine,
  type Execution,
  explainDrop,
  findBuildsFolder,
  type Json,
  type KeyvLike,
  type LogRecord,
  type NoteFiles,
  type ObservedCall,
  type ObservedExecution,
  type Runtime,
  type StoredEvent,
} from "@x/runtime";

import { type SingleRunOptions, openRunTarget, type RunTarget } from "./run-target.ts";

/** An event as it was emitted. */
export interface Emitted {
  readonly id: string;
  readonly name: string;
  readonly dedupeId?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly event: Json;
}

/** An event that dedupe dropped. */
export interface DroppedEvent extends Omit<Emitted, "id"> {
  readonly reason: DroppedEmit["reason"];
  /** The reason as a sentence. */
  readonly because: string;
}

/** What one run did. */
export interface RunResult extends Omit<Execution, "emitted"> {
  readonly emitted: readonly Emitted[];
  readonly dropped: readonly DroppedEvent[];
  /** Its requests. */
  readonly calls: readonly ObservedCall[];
  /** What it wrote to `$.service.db`; null deletes. */
  readonly written: { readonly [key: string]: Json };
}

/** What everything did. */
export interface SingleRunResult {
  readonly component: RunTarget["component"];
  /** Of the hooks. */
  readonly deploy: {
    readonly emitted: readonly Emitted[];
    readonly calls: readonly ObservedCall[];
    readonly logs: readonly LogRecord[];
    /** What the deploy hook emitted was dropped; it is kept with --deploy. */
    readonly dropsEvents: boolean;
  };
  readonly runs: readonly RunResult[];
  /** App props whose `$auth` is empty. */
  readonly withoutAccount: readonly string[];
  /** `$.service.db` at the end. */
  readonly db: { readonly [key: string]: Json };
}

/** A Keyv in memory: it shows what the component stored. */
function createMemoryKeyv(): KeyvLike & { entries(): { [key: string]: Json } } {
  const stored = new Map<string, unknown>();
  return {
    get: (key) => Promise.resolve(stored.get(key)),
    set: (key, value) => Promise.resolve(stored.set(key, value)),
    delete: (key) => Promise.resolve(stored.delete(key)),
    entries() {
      const [texts = {}] = stored.values() as Iterable<Record<string, string>>;
      return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as Json]));
    },
  };
}

function showEvent({ id, name, payload, dedupeId, summary, ts }: StoredEvent): Emitted {
  return {
    id,
    name,
    ...(dedupeId !== undefined && { dedupeId }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
    event: JSON.parse(payload) as Json,
  };
}

function showDropped(dropped: DroppedEmit): DroppedEvent {
  const { payload, id, name = "", summary, ts, reason } = dropped;
  return {
    name,
    ...(id !== undefined && { dedupeId: id }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
    event: JSON.parse(payload) as Json,
    reason,
    because: explainDrop(dropped),
  };
}

const writtenBy = ({ db }: ObservedExecution): RunResult["written"] =>
  Object.fromEntries([...db].map(([key, text]) => [key, text === undefined ? null : (JSON.parse(text) as Json)]));

const everything = { limit: defaults.emitsPerRun } as const;

async function oldestFirst(runtime: Runtime, sourceId: string, stream: "emits" | "$logs"): Promise<StoredEvent[]> {
  return (await runtime.storedEvents(sourceId, stream, everything)).items.toReversed();
}

/** Threads and processes for any number of shots with these options. */
export function createRunEngine({ runtime, inNode }: SingleRunOptions): Promise<Engine> {
  const limits = { ...runtime.limits, retention: defaults.emitsPerRun };
  // The thread starts while the file is bundled, in a process of its own.
  const sandbox = inNode === true ? "node" : "quickjs";
  return createEngine({ workers: 1, limits, warm: true, sandbox, buildsFolder: findBuildsFolder(process.cwd()) });
}

/**
 * Deploys a component in memory and runs it. Rejects with `XError` when it cannot be deployed. `report` gets what
 * everything did as soon as it is known, before threads and processes end.
 */
export async function runOnce<T>(options: SingleRunOptions, report: (shot: SingleRunResult) => T): Promise<T> {
  await using engine = await createRunEngine(options);
  return await runOnEngine(options, engine, report);
}

/** The same on an engine that is there. `noted` hears the names of the files that it is made of, also when it fails. */
export async function runOnEngine<T>(
  options: SingleRunOptions,
  engine: Engine,
  report: (shot: SingleRunResult) => T,
  noted?: NoteFiles,
): Promise<T> {
  const keyv = createMemoryKeyv();
  const { limits: _ofEngine, ...others } = options.runtime;
  const observed: ObservedExecution[] = [];
  const { accounts } = options;
  await using runtime = await createRuntime({
    ...others,
    keyv,
    engine,
    // What it shows tells which props have none.
    missingAccounts: "allow",
    observe: (each) => void observed.push(each),
    ...(accounts && { accounts: ({ app, id }) => accounts[id] ?? accounts[app] }),
  });
  const subject = await openRunTarget(runtime, options, { observed, noted });
  const { id, component, start, withoutAccount } = subject;
  const deploy = {
    ...subject.deploy,
    emitted: (await oldestFirst(runtime, id, "emits")).map(showEvent),
    calls: observed.splice(0).flatMap(({ calls }) => calls),
    logs: (await oldestFirst(runtime, id, "$logs")).map(({ payload }) => JSON.parse(payload) as LogRecord),
  };
  const runs: RunResult[] = [];
  for (let run = 0; run < options.times; run++) {
    const execution = await runtime.invoke(id, start);
    const ids = new Set(execution.emitted.map(({ id }) => id));
    const emitted = (await oldestFirst(runtime, id, "emits")).map(showEvent).filter(({ id }) => ids.has(id));
    const [seen] = observed.splice(0);
    runs.push({
      ...execution,
      emitted,
      dropped: seen?.dropped.map(showDropped) ?? [],
      calls: seen?.calls ?? [],
      written: seen ? writtenBy(seen) : {},
    });
  }
  return report({ component, deploy, runs, withoutAccount, db: keyv.entries() });
}
