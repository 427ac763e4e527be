import { sha256Hex } from "../../model/src/process/sha256.ts";
import { defaults, type Limits } from "../../model/src/limits.ts";
import type { CallHost, Entry, GuestEmit, GuestLog, GuestResponse, Outcome, Sandbox, SandboxCall } from "./contract.ts";
import { testEngine } from "../../runtime/src/engine.cases.ts";
import { leaseSandbox } from "./lease.ts";
import { createPool } from "./pool/pool.ts";

/** A sandbox for tests, with the threads that all tests of the process share. */
export const openSandbox = async (): Promise<Sandbox> => leaseSandbox((await testEngine()).sandbox, undefined);

/** A sandbox with its own thread, for tests that end or count threads. */
export const openOwnSandbox = (limits: Partial<Limits> = {}): Sandbox =>
  createPool({ workers: 1, limits: { ...defaults, ...limits } });

/** Makes floods end sooner. */
export const fewEffects: Partial<Limits> = { effectBytesPerRun: 4 * 1024 * 1024 };

export interface Seen {
  outcome: Outcome;
  emits: GuestEmit[];
  db: [string, string | undefined][];
  logs: GuestLog[];
  responses: GuestResponse[];
  restarts: number;
}

export interface Trial {
  entry?: Entry;
  event?: unknown;
  db?: Record<string, unknown>;
  props?: Record<string, never>;
  timeoutMs?: number;
  memoryBytes?: number;
  source?: string;
  call?: Partial<SandboxCall>;
  fetch?: CallHost["fetch"];
  /** The prop `store` is a data store called shop. */
  dataStore?: NonNullable<CallHost["dataStore"]>;
  followDb?: NonNullable<CallHost["followDb"]>;
  signal?: AbortSignal;
  /** Called when the call starts over. */
  restarted?: () => void;
  logged?: () => void;
}

/** Runs a component given as CommonJS text and collects what reached the host. */
export async function tryComponent(sandbox: Sandbox, code: string, trial: Trial = {}): Promise<Seen> {
  const seen: Omit<Seen, "outcome"> = { emits: [], db: [], logs: [], responses: [], restarts: 0 };
  const bundle = { hash: sha256Hex(code), code };
  const outcome = await sandbox.call(
    {
      sourceId: trial.source ?? `dc_${bundle.hash.slice(0, 8)}`,
      bundle,
      entry: trial.entry ?? "run",
      self: {
        props: trial.props ?? {},
        http: {},
        timers: {},
        db: ["db"],
        ...(trial.dataStore && { dataStores: { store: "shop" } }),
        auth: {},
      },
      db: new Map(Object.entries(trial.db ?? {}).map(([key, value]) => [key, JSON.stringify(value)])),
      event: JSON.stringify(trial.event ?? {}),
      dedupe: undefined,
      emit: true,
      // Tests of other things must not time out on a busy machine.
      limits: { timeoutMs: trial.timeoutMs ?? 60_000, memoryBytes: trial.memoryBytes ?? 64 * 1024 * 1024 },
      warm: false,
      ...trial.call,
    },
    {
      now: () => 1_000,
      restart() {
        seen.restarts += 1;
        trial.restarted?.();
        for (const list of [seen.emits, seen.db, seen.logs, seen.responses]) list.length = 0;
      },
      emit: (emit) => seen.emits.push(emit),
      dbSet: (key, value) => seen.db.push([key, value]),
      log(log) {
        seen.logs.push(log);
        trial.logged?.();
      },
      step: () => undefined,
      respond: (response) => seen.responses.push(response),
      ...(trial.followDb && { followDb: trial.followDb }),
      ...(trial.dataStore && { dataStore: trial.dataStore }),
      fetch: trial.fetch ?? (() => Promise.reject(new Error("no network in this test"))),
    },
    trial.signal,
  );
  return { outcome, ...seen };
}

/** The outcome of a call that waits for `waited`, with a limit in ms that the test itself uses up in its thread meanwhile. */
export async function outcomeBesideWork(sandbox: Sandbox, waited: string, timeoutMs: number): Promise<Outcome> {
  const begun = Promise.withResolvers<void>();
  const code = runBody(`console.log("begun"); await ${waited};`);
  const fetch = (): Promise<never> => new Promise((_, reject) => setTimeout(reject, 1, new Error("no network")));
  const called = tryComponent(sandbox, code, { timeoutMs, logged: begun.resolve, fetch });
  await begun.promise;
  for (const until = performance.now() + 1.2 * timeoutMs; performance.now() < until;);
  return (await called).outcome;
}

export const waits = {
  "a timer": "new Promise((done) => setTimeout(done, 1))",
  "several timers": "(async () => { for (let n = 0; n < 3; n++) await new Promise((done) => setTimeout(done, n)); })()",
  "a request": 'fetch("http://h/").catch(() => undefined)',
} as const;

/** A component whose run has this body. */
export const runBody = (body: string, rest = ""): string =>
  `module.exports = { name: "t", version: "1", ${rest} async run(event) { ${body} } };`;

const unusual = '\u20ac"\\\u{1f600}\ud800\0';

/** Events of two sizes that are posted as texts, and of two that are posted as bytes. */
export const largeEvents: readonly string[] = [100_000, 128 * 1024, 128 * 1024 + 1, 300_000].map((chars) =>
  unusual.padEnd(chars - JSON.stringify(unusual).length + unusual.length, "x"),
);

/** The event as the component gets it, and a value of its db. */
export async function returnLargeEvent(sandbox: Sandbox, event: string): Promise<unknown> {
  const body = "this.$emit([event, this.db.get('n')])";
  const { emits } = await tryComponent(sandbox, runBody(body), { event, db: { n: 1 } });
  return JSON.parse(emits[0]?.payload ?? "null");
}
