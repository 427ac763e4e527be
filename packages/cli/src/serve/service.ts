import { createRuntime, type ManualClock, type Runtime, type RuntimeOptions, systemClock } from "@x/runtime";
import { type Answer, type App, createApp, listen, type Listening } from "@x/server";

import { hasData } from "../data-folder.ts";
import { EnvironmentError } from "../given/usage-error.ts";

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
  /** Lets what is under way finish, then stops. `waiting` is called when that takes a while. */
  close(waiting?: () => void): Promise<void>;
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

/** Starts to serve; resolves when requests are answered. Leaves nothing behind when it fails. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host, port, prepare, publicUrl, front = (behind) => behind, ...runtimeOptions } = options;
  const gate = createGate();
  const listening = await listenOrExplain(gate.app, host, port);
  let runtime: Runtime | undefined;
  try {
    const isNew = !hasData(options.data);
    const url = publicUrl ?? reachable(host, listening);
    runtime = await createRuntime({ ...runtimeOptions, publicUrl: url });
    await prepare(runtime);
    await runtime.start();
    const opened = runtime;
    const { clock, logger } = options;
    gate.open(createApp(front(runtime), { ...(clock && { clock }), ...(logger && { logger }) }));
    const { user } = await runtime.user();
    return {
      runtime,
      baseUrl: `${url}/v1`,
      newApiKey: isNew && options.apiKey === undefined ? user.apiKey : undefined,
      async close(waiting = () => undefined) {
        const until = Date.now() + drainMs;
        const cancel = systemClock.wakeAt(systemClock.now() + patienceMs, waiting);
        try {
          await listening.close({ drainMs });
          await opened.close({ drainMs: Math.max(leastDrainMs, until - Date.now()) });
        } finally {
          cancel();
        }
      },
    };
  } catch (error) {
    await listening.close();
    await runtime?.close();
    throw error;
  }
}
