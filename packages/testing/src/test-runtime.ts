import { type Component, createRuntime, defaults, type ManualClock, manualClock, type Runtime } from "@x/runtime";

import { cachedComponent } from "./component/component-cache.ts";
import { type ComponentFile, findComponent, type GivenComponent } from "./component/given.ts";
import type { ConformanceOptions } from "./conformance/context.ts";
import { findEngineKind, sharedEngine } from "./engine/engine.ts";
import { type AnyFunction, callerFrames, pathsUnder, withTestFrames } from "./frames.ts";
import { createHistory, type TestHistory } from "./history.ts";
import { checkNames } from "./known-names.ts";
import type { SourceOptions } from "./source-options.ts";
import { parseInstant } from "./time.ts";
import { type Answerer, createUpstream, isAnswerer, type Upstream } from "./traffic/upstream.ts";

const defaultNow = "2026-01-01T00:00:00Z";

/** The runtime of one source under test, with what the test controls: clock, upstreams, accounts. */
export interface TestRuntime {
  readonly clock: ManualClock;
  /** Where the clock started, epoch ms. */
  readonly startMs: number;
  readonly upstream: Upstream;
  readonly answerer: Answerer | undefined;
  readonly history: TestHistory;
  /** Replaces the files in a stack, which are relative to the component's root, by their paths. */
  withPaths(stack: string): string;
  /** The running runtime; the first call starts it. */
  runtime(): Promise<Runtime>;
  /** The component under test, or `changed`, saved in the runtime. */
  component(changed?: ComponentFile): Promise<Component>;
  /** Closes the runtime and starts another one on the same store. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

type OptionName = keyof ConformanceOptions;
const optionNames: OptionName[] = [
  "props",
  "accounts",
  "now",
  "routes",
  "root",
  "name",
  "settings",
  "engine",
  "limits",
];
/** Tests share one object of options with `conformance`. */
const knownNames: ReadonlySet<string> = new Set<OptionName>([...optionNames, "requests", "events"]);

/** Throws for an unknown option: a misspelt one would have no effect. */
function checkOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !knownNames.has(name));
  if (unknown === undefined) return;
  checkNames("option", { [unknown]: true }, optionNames);
}

/** A component may sleep on the test's clock for as long as a served one may run, in ms. */
const sleepLimit = ({ settings, limits }: SourceOptions): number =>
  settings?.runTimeoutMs ?? limits?.runTimeoutMs ?? defaults.runTimeoutMs;

/** Starts nothing: the first call of `runtime()` does. */
export function createTestRuntime(file: ComponentFile, options: SourceOptions): TestRuntime {
  const startMs = parseInstant(options.now ?? defaultNow);
  const clock = manualClock(startMs, { maxSkippedMs: sleepLimit(options) });
  const engineKind = findEngineKind(options.engine);
  const cached = cachedComponent(file, JSON.stringify([engineKind, options.limits ?? {}]));
  const { routes = {}, accounts = {} } = options;
  const upstream = createUpstream(routes, () => clock.now());
  const answerer = isAnswerer(routes) ? routes : undefined;
  const withPaths = pathsUnder("root" in file ? file.root : undefined);
  const history = createHistory(upstream.takeCalls, withPaths);
  let running: Promise<Runtime> | undefined;

  async function start(): Promise<Runtime> {
    const engine = sharedEngine(engineKind, options.limits);
    const runtime = await createRuntime({
      engine: await engine,
      memory: cached.memory,
      clock,
      // The routes decide which addresses exist.
      network: { mode: "allow-private", exchange: upstream.exchange },
      accounts: ({ app, id }) => accounts[id] ?? accounts[app],
      missingAccounts: "allow",
      observe: history.observe,
    });
    await runtime.start();
    return runtime;
  }
  const runtime = (): Promise<Runtime> => (running ??= start());
  const close = async (): Promise<void> => {
    const closing = running;
    running = undefined;
    await (await closing)?.close();
  };
  return {
    clock,
    startMs,
    upstream,
    answerer,
    history,
    withPaths,
    runtime,
    component: async (changed) => {
      const current = await runtime();
      return changed ? current.saveComponent(changed) : cached.component(current);
    },
    async restart() {
      await close();
      await runtime();
    },
    close,
  };
}

/** As `createTestRuntime`, for what a test gives. Errors show the frames of the test; `below` is the function that it calls. */
export function openTestRuntime(given: GivenComponent, options: SourceOptions, below: AnyFunction): TestRuntime {
  const frames = callerFrames(below);
  try {
    checkOptions(options);
    return createTestRuntime(findComponent(given, options.root), options);
  } catch (error) {
    throw withTestFrames(error, frames);
  }
}
