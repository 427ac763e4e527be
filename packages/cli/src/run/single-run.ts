import {
  createEngine,
  createMemory,
  createRuntime,
  defaults,
  type DroppedEmit,
  type Engine,
  type Execution,
  explainDrop,
  findBuildsFolder,
  type HookName,
  type Json,
  type KeyvLike,
  type LogRecord,
  type NoteFiles,
  type ObservedCall,
  type ObservedExecution,
  type Runtime,
  type StoredEvent,
} from "@x/runtime";

import { checkAppEvent } from "./app-event.ts";
import { type SingleRunOptions, openRunTarget, type RunObservation, type RunTarget } from "./run-target.ts";

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
  /** What the run wrote to data stores, by name; null: deleted. */
  readonly dataStores: { readonly [name: string]: { readonly [key: string]: Json } };
}

interface HooksResult {
  readonly calls: readonly ObservedCall[];
  readonly logs: readonly LogRecord[];
}

/** The result of `x run`: the deploy and every run. */
export interface SingleRunResult {
  readonly component: RunTarget["component"];
  /** What additionalProps and the hooks did before the first run. */
  readonly deploy: HooksResult & {
    readonly emitted: readonly Emitted[];
    /** True when events of the deploy hook are dropped, without --deploy. */
    readonly dropsEvents: boolean;
  };
  /** What the hook did after the last run; undefined when there is none. */
  readonly deactivate: (HooksResult & { readonly error: Execution["error"] }) | undefined;
  /** The hooks of the component, in the order in which they run. */
  readonly hooks: { readonly names: readonly HookName[]; readonly ran: boolean };
  readonly runs: readonly RunResult[];
  /** App props whose `$auth` is empty. */
  readonly withoutAccount: readonly string[];
  /** When a service would fire its timer next, epoch ms; at most three. */
  readonly nextTicks: readonly number[];
  /** `$.service.db` at the end. */
  readonly db: { readonly [key: string]: Json };
  /** Data stores at the end, which begin empty: keys with their values, by name. */
  readonly dataStores: { readonly [name: string]: { readonly [key: string]: Json } };
}

async function readDataStores(runtime: Runtime): Promise<SingleRunResult["dataStores"]> {
  const read = async (name: string) => {
    const entries = await runtime.dataStoreEntries(name);
    return [name, Object.fromEntries(entries.map(({ key, value }) => [key, value]))] as const;
  };
  return Object.fromEntries(await Promise.all((await runtime.dataStores()).map(({ name }) => read(name))));
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

const valueOf = (text: string | undefined): Json => (text === undefined ? null : (JSON.parse(text) as Json));

const writtenBy = ({ db, dataStores }: ObservedExecution): Pick<RunResult, "written" | "dataStores"> => ({
  written: Object.fromEntries([...db].map(([key, text]) => [key, valueOf(text)])),
  dataStores: Object.fromEntries(
    [...Map.groupBy(dataStores, ({ name }) => name)].map(([name, writes]) => [
      name,
      Object.fromEntries(writes.map(({ key, value }) => [key, valueOf(value)])),
    ]),
  ),
});

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
export async function runOnce<T>(
  options: SingleRunOptions,
  report: (result: SingleRunResult) => T,
  followers: RunFollowers = {},
): Promise<T> {
  await using engine = await createRunEngine(options);
  return await runOnEngine(options, engine, report, followers);
}

/** A run that was interrupted; its hook `deactivate` has run. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** How a run is followed. */
export interface RunFollowers {
  /** Called with the names of the files of the component, also when it fails. */
  readonly noted?: NoteFiles | undefined;
  /** Ends the run; the hook `deactivate` runs still, and the result is an `Interrupted`. */
  readonly stop?: AbortSignal | undefined;
}

/** Runs a component on an existing engine. */
export async function runOnEngine<T>(
  options: SingleRunOptions,
  engine: Engine,
  report: (result: SingleRunResult) => T,
  { noted, stop }: RunFollowers = {},
): Promise<T> {
  const keyv = createMemoryKeyv();
  // What a runtime has stored outlives it: one that is interrupted is followed by another for the last hook.
  const memory = createMemory();
  const { limits: _ofEngine, ...others } = options.runtime;
  const observed: ObservedExecution[] = [];
  const asked: ObservedCall[] = [];
  const { accounts, publicUrl } = options;
  const open = (): Promise<Runtime> =>
    createRuntime({
      ...others,
      keyv,
      memory,
      engine,
      ...(publicUrl !== undefined && { publicUrl }),
      // The result names the props without an account.
      missingAccounts: "allow",
      observe: { end: (each) => void observed.push(each), ask: ({ calls }) => void asked.push(...calls) },
      ...(accounts && { accounts: ({ app, id }) => accounts[id] ?? accounts[app] }),
    });
  await using runtime = await open();
  const target = await openRunTarget(runtime, options, { observed, asked, noted });
  const ending = (on: Runtime): Promise<SingleRunResult["deactivate"]> =>
    options.hooks && target.hooks.includes("deactivate")
      ? deactivate(on, target.id, observed)
      : Promise.resolve(undefined);
  const interrupt = (): void => void runtime.close({ drainMs: 0 });
  stop?.addEventListener("abort", interrupt, { once: true });
  try {
    stop?.throwIfAborted();
    const result = await runTarget(runtime, target, options, { observed, asked, keyv });
    stop?.removeEventListener("abort", interrupt);
    return report({ ...result, deactivate: await ending(runtime) });
  } catch (error) {
    if (stop?.aborted !== true) throw error;
    await runtime.close({ drainMs: 0 });
    await using next = await open();
    await ending(next);
    throw new Interrupted("interrupted", { cause: error });
  }
}

/** Deletes the source, which runs its hook. */
async function deactivate(
  runtime: Runtime,
  id: string,
  observed: ObservedExecution[],
): Promise<NonNullable<SingleRunResult["deactivate"]>> {
  observed.splice(0);
  // The execution has the error.
  await runtime.delete(id, { ignoreHookErrors: true });
  const [seen] = observed.splice(0);
  return { calls: seen?.calls ?? [], logs: seen?.execution.logs ?? [], error: seen?.execution.error ?? null };
}

async function runTarget(
  runtime: Runtime,
  { id, component, hooks, withoutAccount }: RunTarget,
  { times, event, appEvent, emitOnDeploy, hooks: runsHooks }: SingleRunOptions,
  {
    observed,
    asked,
    keyv,
  }: Pick<RunObservation, "asked"> & {
    readonly observed: ObservedExecution[];
    readonly keyv: ReturnType<typeof createMemoryKeyv>;
  },
): Promise<Omit<SingleRunResult, "deactivate">> {
  const deploy = {
    dropsEvents: runsHooks && !emitOnDeploy && hooks.includes("deploy"),
    emitted: (await oldestFirst(runtime, id, "emits")).map(eventOf),
    calls: [...asked, ...observed.splice(0).flatMap(({ calls }) => calls)],
    logs: (await oldestFirst(runtime, id, "$logs")).map(({ payload }) => JSON.parse(payload) as LogRecord),
  };
  if (appEvent !== undefined) {
    const { appEvents = {} } = (await runtime.source(id)).source;
    checkAppEvent(Object.values(appEvents), appEvent);
  }
  const runs: RunResult[] = [];
  for (let run = 0; run < times; run++) {
    const execution = await runtime.invoke(id, event === undefined ? {} : { event });
    const ids = new Set(execution.emitted.map(({ id }) => id));
    const emitted = (await oldestFirst(runtime, id, "emits")).map(eventOf).filter(({ id }) => ids.has(id));
    const [seen] = observed.splice(0);
    runs.push({
      ...execution,
      emitted,
      dropped: seen?.dropped.map(droppedEventOf) ?? [],
      calls: seen?.calls ?? [],
      ...(seen ? writtenBy(seen) : { written: {}, dataStores: {} }),
    });
  }
  const { nextTicksAt: nextTicks } = await runtime.activity(id);
  return {
    component,
    hooks: { names: hooks, ran: runsHooks },
    deploy,
    runs,
    withoutAccount,
    nextTicks,
    db: keyv.entries(),
    dataStores: await readDataStores(runtime),
  };
}
