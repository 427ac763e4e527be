import { type Component, createRuntime, defaults, type ManualClock, manualClock, type Runtime } from "@x/runtime";

import { findEngineKind } from "./engine/engine-kind.ts";
import { type AnyFunction, callerFrames, framesUnder, placeInTest } from "./frames.ts";
import { type ComponentFile, findComponent, type GivenComponent } from "./component/given-component.ts";
import { memoryFor } from "./component/kept-components.ts";
import { checkOptions } from "./known-options.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { parseMoment } from "./moment.ts";
import { sharedEngine } from "./engine/shared-engine.ts";
import type { SourceOptions } from "./source-options.ts";
import { type Answerer, createUpstream, isAnswerer, type Upstream } from "./traffic/upstream.ts";

const defaultNow = "2026-01-01T00:00:00Z";

/** The runtime of one source under test, with everything around it that tests decide: time, upstreams, accounts. */
export interface Stand {
  readonly clock: ManualClock;
  readonly startMs: number;
  readonly upstream: Upstream;
  readonly answerer: Answerer | undefined;
  readonly ledger: Ledger;
  /** Names the files of a stack by where they are. */
  placeOf(stack: string): string;
  runtime(): Promise<Runtime>;
  /** The component as the runtime has saved it, or another one. */
  component(changed?: ComponentFile): Promise<Component>;
  /** Ends the runtime; the next one finds its records. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A component may sleep as long as it may run where it is served, though a test waits less. */
const sleepLimit = ({ settings, limits }: SourceOptions): number =>
  settings?.runTimeoutMs ?? limits?.runTimeoutMs ?? defaults.runTimeoutMs;

/** Nothing starts before it is asked for. */
export function createStand(file: ComponentFile, options: SourceOptions): Stand {
  const startMs = parseMoment(options.now ?? defaultNow);
  const clock = manualClock(startMs, { mostSkippedMs: sleepLimit(options) });
  const engineKind = findEngineKind(options.engine);
  const begun = memoryFor(file, JSON.stringify([engineKind, options.limits ?? {}]));
  const { routes = {}, accounts = {} } = options;
  const upstream = createUpstream(routes, () => clock.now());
  const answerer = isAnswerer(routes) ? routes : undefined;
  const placeOf = framesUnder("root" in file ? file.root : undefined);
  const ledger = createLedger(upstream.takeCalls, placeOf);
  let running: Promise<Runtime> | undefined;

  async function start(): Promise<Runtime> {
    const engine = sharedEngine(engineKind, options.limits);
    const runtime = await createRuntime({
      engine: await engine,
      memory: begun.memory,
      clock,
      // Addresses are whatever the routes say.
      network: { mode: "allow-private", exchange: upstream.exchange },
      accounts: ({ app, id }) => accounts[id] ?? accounts[app],
      missingAccounts: "allow",
      observe: ledger.observe,
    });
    await runtime.start();
    return runtime;
  }
  const runtime = (): Promise<Runtime> => (running ??= start());
  const end = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    await (await ending)?.close();
  };
  return {
    clock,
    startMs,
    upstream,
    answerer,
    ledger,
    placeOf,
    runtime,
    component: async (changed) => {
      const current = await runtime();
      return changed ? current.saveComponent(changed) : begun.component(current);
    },
    async restart() {
      await end();
      await runtime();
    },
    close: end,
  };
}

/** The same for what a test gives: what is wrong with it is shown there. `below` is the function that the test calls. */
export function openStand(given: GivenComponent, options: SourceOptions, below: AnyFunction): Stand {
  const frames = callerFrames(below);
  try {
    checkOptions(options);
    return createStand(findComponent(given, options.root), options);
  } catch (error) {
    throw placeInTest(error, frames);
  }
}
