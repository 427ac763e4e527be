import { createRuntime, type ManualClock, type Runtime, type RuntimeOptions, systemClock } from "@x/runtime";
import { type Answer, type App, createApp, listen, type Listening } from "@x/server";

import { hasData } from "../given/given-path.ts";
import { EnvironmentError } from "../errors.ts";

export interface ServiceOptions extends Omit<RuntimeOptions, "publicUrl" | "clock"> {
  /** A clock that moves by `POST /v1/clock/advance`; absent: the system's. */
  readonly clock?: ManualClock;
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** Default: where it listens. */
  readonly publicUrl?: string;
  /** Runs before anything fires and before any request is answered. */
  readonly prepare: (runtime: Runtime) => Promise<void>;
  /** Ends the start: what is under way by then may finish, and nothing more begins. */
  readonly stop: AbortSignal;
  /** Called when stopping takes a while. */
  readonly waiting?: () => void;
  /** What requests reach in place of the runtime itself. */
  readonly front?: (runtime: Runtime) => Runtime;
}

/** A runtime with its REST interface. */
export interface Service {
  readonly runtime: Runtime;
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** The API key that was made by this start. */
  readonly newApiKey: string | undefined;
  /** Lets what is under way finish, then stops. */
  close(): Promise<void>;
}

/** How long runs under way may take after a stop, requests and timers together. */
const drainMs = 10_000;
const leastDrainMs = 500;
/** Whoever ends a service wonders after this long. */
const patienceMs = 2_000;

/** What somebody is told who waits for the end. */
export const waitingForRuns: string = `waiting for runs under way, at most ${drainMs / 1_000} s; Ctrl+C again ends x at once`;

const starting: Answer = {
  status: 503,
  headers: [
    ["content-type", "application/json; charset=utf-8"],
    ["retry-after", "1"],
  ],
  body: JSON.stringify({ error: "The service is starting.", code: "closed", details: {} }),
};

/** An app whose place is taken before it is there: the port must be known before the runtime can be built. */
function createGate(): { app: App; open(app: App): void } {
  let opened: App | undefined;
  const app: App = {
    answer: (request, client) => opened?.answer(request, client) ?? Promise.resolve(starting),
    fetch: (request, client) =>
      opened?.fetch(request, client) ?? Promise.resolve(new Response(String(starting.body), { status: 503 })),
    drain: () => opened?.drain(),
  };
  return {
    app,
    open(ready) {
      opened = ready;
    },
  };
}

async function listenOrExplain(app: App, host: string, port: number): Promise<Listening> {
  try {
    return await listen(app, { host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new EnvironmentError(
        `port ${port} on ${host} is in use, perhaps by another x; stop it, or choose another port with --port`,
      );
    }
    if (code === "EACCES") throw new EnvironmentError(`port ${port} needs rights that this user does not have`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new EnvironmentError(`"${host}" is no address of this machine; choose another with --host`);
    throw error;
  }
}

/** Where others reach a service that listens on every address. */
const reachable = (host: string, { port, url }: Listening): string =>
  host === "0.0.0.0" || host === "::" ? `http://127.0.0.1:${port}` : url;

/** Lets requests under way finish, then runs. */
async function drain(listening: Listening, runtime: Runtime): Promise<void> {
  const until = Date.now() + drainMs;
  await listening.close({ drainMs });
  await runtime.close({ drainMs: Math.max(leastDrainMs, until - Date.now()) });
}

async function toldWhenLong(work: Promise<unknown>, waiting: () => void = () => undefined): Promise<void> {
  const cancel = systemClock.wakeAt(systemClock.now() + patienceMs, waiting);
  try {
    await work;
  } finally {
    cancel();
  }
}

/**
 * Starts to serve; resolves when requests are answered, or with undefined when it was stopped before. Leaves nothing behind
 * when it is stopped or fails.
 */
export async function startService(options: ServiceOptions): Promise<Service | undefined> {
  const { host, port, prepare, publicUrl, stop, waiting, front = (behind) => behind, ...runtimeOptions } = options;
  const gate = createGate();
  const listening = await listenOrExplain(gate.app, host, port);
  let runtime: Runtime | undefined;
  let stopped: Promise<undefined> | undefined;
  try {
    const isNew = !hasData(options.data);
    const url = publicUrl ?? reachable(host, listening);
    const opened = await createRuntime({ ...runtimeOptions, publicUrl: url });
    runtime = opened;
    const end = (): void => {
      // Beside each other: nobody is answered yet.
      const ended = Promise.all([listening.close(), opened.close({ drainMs })]);
      stopped = toldWhenLong(ended, waiting).then(() => undefined);
      stopped.catch(() => undefined);
    };
    stop.addEventListener("abort", end, { once: true });
    if (stop.aborted) end();
    await prepare(opened);
    await opened.start();
    const { user } = await opened.user();
    const { clock, logger } = options;
    const app = createApp(front(opened), { ...(clock && { clock }), ...(logger && { logger }) });
    stop.removeEventListener("abort", end);
    if (stop.aborted) return await stopped;
    gate.open(app);
    return {
      runtime,
      baseUrl: `${url}/v1`,
      newApiKey: isNew && options.apiKey === undefined ? user.apiKey : undefined,
      close: () => toldWhenLong(drain(listening, opened), waiting),
    };
  } catch (error) {
    // What was to begin was refused.
    if (stopped) return await stopped;
    await listening.close();
    await runtime?.close();
    throw error;
  }
}
