import { type Execution, formatEventId, type Json, type LogRecord, type Runtime, type StoredEvent } from "@x/runtime";
import { createEngine, createRuntime, defaults, type Engine, type KeyvLike, type NoteFiles } from "@x/runtime";

import { startOf } from "./http-event.ts";
import type { RuntimeFlagOptions } from "./runtime-flags.ts";

export interface OneShotOptions {
  readonly file: string;
  /** Folder that its imports stay in. */
  readonly root: string;
  readonly props: { readonly [prop: string]: Json };
  readonly event: Json | undefined;
  /** Emit from the deploy hook too. */
  readonly emitOnDeploy: boolean;
  readonly times: number;
  /** In plain Node, where debuggers see it, in place of the sandbox. */
  readonly inNode?: boolean;
  readonly runtime: RuntimeFlagOptions;
}

/** An event as it was emitted. */
export interface Emitted {
  readonly id: string;
  readonly name: string;
  readonly dedupeId?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly event: Json;
}

/** What one run did. */
export interface ShotRun extends Omit<Execution, "emitted"> {
  readonly emitted: readonly Emitted[];
}

/** What everything did. */
export interface Shot {
  readonly component: { readonly name: string; readonly version: string };
  /** Of the hooks. */
  readonly deploy: { readonly emitted: readonly Emitted[]; readonly logs: readonly LogRecord[] };
  readonly runs: readonly ShotRun[];
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
    id: formatEventId(id),
    name,
    ...(dedupeId !== undefined && { dedupeId }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
    event: JSON.parse(payload) as Json,
  };
}

const everything = { limit: defaults.emitsPerRun } as const;

async function oldestFirst(runtime: Runtime, sourceId: string, stream: "emits" | "$logs"): Promise<StoredEvent[]> {
  return (await runtime.storedEvents(sourceId, stream, everything)).items.toReversed();
}

/** Threads and processes for any number of shots with these options. */
export function createShotEngine({ runtime, inNode }: OneShotOptions): Promise<Engine> {
  const limits = { ...runtime.limits, retention: defaults.emitsPerRun };
  // The thread starts while the file is bundled, in a process of its own.
  return createEngine({ workers: 1, limits, warm: true, sandbox: inNode === true ? "node" : "quickjs" });
}

/**
 * Deploys a component in memory and runs it. Rejects with `XError` when it cannot be deployed. `tell` gets what
 * everything did as soon as it is known, before threads and processes end.
 */
export async function runOnce<T>(options: OneShotOptions, tell: (shot: Shot) => T): Promise<T> {
  await using engine = await createShotEngine(options);
  return await shoot(options, engine, tell);
}

/** The same on an engine that is there. `noted` hears the names of the files that it is made of, also when it fails. */
export async function shoot<T>(
  options: OneShotOptions,
  engine: Engine,
  tell: (shot: Shot) => T,
  noted?: NoteFiles,
): Promise<T> {
  const keyv = createMemoryKeyv();
  const { limits: _ofEngine, ...others } = options.runtime;
  await using runtime = await createRuntime({ ...others, keyv, engine });
  const { file, root, props, emitOnDeploy } = options;
  const { id: componentId } = await runtime.saveComponent({ file, root }, undefined, noted);
  const { source, component } = await runtime.deploy({ componentId, props, emitOnDeploy });
  const start = startOf(component.shape, options.event);
  const deploy = {
    emitted: (await oldestFirst(runtime, source.id, "emits")).map(showEvent),
    logs: (await oldestFirst(runtime, source.id, "$logs")).map(({ payload }) => JSON.parse(payload) as LogRecord),
  };
  const runs: ShotRun[] = [];
  for (let run = 0; run < options.times; run++) {
    const execution = await runtime.invoke(source.id, start);
    const ids = new Set(execution.emitted.map(({ id }) => id));
    const emitted = (await oldestFirst(runtime, source.id, "emits")).map(showEvent).filter(({ id }) => ids.has(id));
    runs.push({ ...execution, emitted });
  }
  const { name, version } = component.shape;
  return tell({ component: { name, version }, deploy, runs, db: keyv.entries() });
}
