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

/** An emitted event. */
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

/** The result of one run. */
export interface RunResult extends Omit<Execution, "emitted"> {
  readonly emitted: readonly Emitted[];
  readonly dropped: readonly DroppedEvent[];
  /** The requests of the run. */
  readonly calls: readonly ObservedCall[];
  /** What the run wrote to `$.service.db`; null: deleted. */
  readonly written: { readonly [key: string]: Json };
}

/** The result of `x run`: the deploy and every run. */
export interface SingleRunResult {
  readonly component: RunTarget["component"];
  /** What the hooks did. */
  readonly deploy: {
    readonly emitted: readonly Emitted[];
    readonly calls: readonly ObservedCall[];
    readonly logs: readonly LogRecord[];
    /** True when events of the deploy hook are dropped, without --deploy. */
    readonly dropsEvents: boolean;
  };
  readonly runs: readonly RunResult[];
  /** App props whose `$auth` is empty. */
  readonly withoutAccount: readonly string[];
  /** When a service would fire its timer next, epoch ms; at most three. */
  readonly nextTicks: readonly number[];
  /** `$.service.db` at the end. */
  readonly db: { readonly [key: string]: Json };
}

/** A Keyv in memory whose entries can be read. */
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

function eventOf({ id, name, payload, dedupeId, summary, ts }: StoredEvent): Emitted {
  return {
    id,
    name,
    ...(dedupeId !== undefined && { dedupeId }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
    event: JSON.parse(payload) as Json,
  };
}

function droppedEventOf(dropped: DroppedEmit): DroppedEvent {
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

/** An engine for any number of runs with these options. */
export function createRunEngine({ runtime, inNode }: SingleRunOptions): Promise<Engine> {
  const limits = { ...runtime.limits, retention: defaults.emitsPerRun, executionsPerSource: 0 };
  const sandbox = inNode === true ? "node" : "quickjs";
  return createEngine({ workers: 1, limits, warm: true, sandbox, buildsFolder: findBuildsFolder(process.cwd()) });
}

/**
 * Deploys a component in memory and runs it. Rejects with `XError` when it cannot be deployed. `report` is called with the
 * result before the engine is closed, which takes time.
 */
export async function runOnce<T>(options: SingleRunOptions, report: (result: SingleRunResult) => T): Promise<T> {
  await using engine = await createRunEngine(options);
  return await runOnEngine(options, engine, report);
}

/** Runs a component on an existing engine. `noted` is called with the names of its files, also when it fails. */
export async function runOnEngine<T>(
  options: SingleRunOptions,
  engine: Engine,
  report: (result: SingleRunResult) => T,
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
    // The result names the props without an account.
    missingAccounts: "allow",
    observe: (each) => void observed.push(each),
    ...(accounts && { accounts: ({ app, id }) => accounts[id] ?? accounts[app] }),
  });
  const subject = await openRunTarget(runtime, options, { observed, noted });
  const { id, component, start, withoutAccount } = subject;
  const deploy = {
    ...subject.deploy,
    emitted: (await oldestFirst(runtime, id, "emits")).map(eventOf),
    calls: observed.splice(0).flatMap(({ calls }) => calls),
    logs: (await oldestFirst(runtime, id, "$logs")).map(({ payload }) => JSON.parse(payload) as LogRecord),
  };
  const runs: RunResult[] = [];
  for (let run = 0; run < options.times; run++) {
    const execution = await runtime.invoke(id, start);
    const ids = new Set(execution.emitted.map(({ id }) => id));
    const emitted = (await oldestFirst(runtime, id, "emits")).map(eventOf).filter(({ id }) => ids.has(id));
    const [seen] = observed.splice(0);
    runs.push({
      ...execution,
      emitted,
      dropped: seen?.dropped.map(droppedEventOf) ?? [],
      calls: seen?.calls ?? [],
      written: seen ? writtenBy(seen) : {},
    });
  }
  const { nextTicksAt: nextTicks } = await runtime.activity(id);
  return report({ component, deploy, runs, withoutAccount, nextTicks, db: keyv.entries() });
}
