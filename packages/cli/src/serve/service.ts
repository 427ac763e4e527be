import {
  createRuntime,
  type ManualClock,
  type Runtime,
  type RuntimeOptions,
  type Store,
  systemClock,
  toLogger,
  type XError,
} from "@x/runtime";
import { type Answer, type App, createApp, createMetricsApp, listen, type Listening } from "@x/server";

import { hasData } from "../arguments/path.ts";
import { EnvironmentError } from "../errors.ts";
import { isUnused, noteFolder } from "./first-start.ts";
import { type RenewedRuntime, renewRuntime } from "./renewed-runtime.ts";

export interface ServiceOptions extends Omit<RuntimeOptions, "publicUrl" | "clock" | "data" | "store"> {
  /** A clock that `POST /v1/clock/advance` advances; default: the system's clock. */
  readonly clock?: ManualClock;
  readonly host: string;
  readonly port: number;
  /** The data folder, or the store instead of it. */
  readonly data: string | (() => Promise<Store>);
  /** Where the metrics are answered without a key; absent: only at the service, with the key of the first user. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /**
   * May have a path, without a trailing slash; a function gets the port, when the service listens. Default: the address it
   * listens on.
   */
  readonly publicUrl?: string | ((port: number) => Promise<string>);
  /** The path below which everything is when no public URL says it, without a trailing slash. */
  readonly mountPath?: string;
  /** Runs before timers start and before requests are answered. */
  readonly prepare: (runtime: Runtime) => Promise<void>;
  /** Cancels the start: work in progress may finish, and no more begins. */
  readonly stop: AbortSignal;
  /** Aborted when the process is about to end by an error: from then on every request gets 503. */
  readonly crashed?: AbortSignal;
  /** Called when closing takes more than 2 s. */
  readonly onSlowClose?: () => void;
  /** Serves the inspector. Default: false. */
  readonly inspector?: boolean;
  /** Called with each runtime that answers requests, until the signal aborts: after a failure of the store another one follows. */
  readonly watch?: (runtime: Runtime, ended: AbortSignal) => Promise<void>;
  /** The runtime for requests, made of the service's own; default: the same. */
  readonly exposed?: (runtime: Runtime) => Runtime;
}

/** A runtime with its REST interface. */
export interface Service {
  /** The present one. */
  readonly runtime: Runtime;
  /** Resolves when the service cannot go on. */
  readonly failed: Promise<XError>;
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** The address it listens on, with the mount path. */
  readonly localUrl: string;
  /** The URL of the metrics that need no key. */
  readonly metricsUrl: string | undefined;
  /** The API key, when this start created it. */
  readonly newApiKey: string | undefined;
  /** The inspector with a sign-in token, which works once, for half an hour; undefined when it is off. */
  readonly inspectorUrl: string | undefined;
  /** Lets requests and runs in progress finish, then stops. */
  close(): Promise<void>;
}

/** Time for requests and runs in progress after a stop, together. */
const drainMs = 10_000;
const minDrainMs = 500;
const slowCloseMs = 2_000;

/** The text to print in `onSlowClose`. */
export const waitingForRuns: string = `waiting for runs in progress, at most ${drainMs / 1_000} s; press Ctrl+C again to stop at once`;

const unavailable = (error: string): Answer => ({
  status: 503,
  headers: [
    ["content-type", "application/json; charset=utf-8"],
    ["retry-after", "1"],
  ],
  body: JSON.stringify({ error, code: "closed", details: {} }),
});
const starting = unavailable("The service is starting.");
const failed = unavailable("The service has failed and is about to end.");

interface Gate {
  readonly app: App;
  /** Undefined: 503 again. */
  open(app: App | undefined): void;
}

/**
 * Answers 503 until an app is set: the runtime needs the port, so the server listens before the app exists. Answers 503 again
 * after a crash.
 */
function createGate(crashed: AbortSignal | undefined): Gate {
  let opened: App | undefined;
  const ready = (): App | undefined => (crashed?.aborted ? undefined : opened);
  const closed = (): Answer => (crashed?.aborted ? failed : starting);
  const app: App = {
    answer: (request, client) => ready()?.answer(request, client) ?? Promise.resolve(closed()),
    fetch: (request, client) =>
      ready()?.fetch(request, client) ?? Promise.resolve(new Response(String(closed().body), { status: 503 })),
    drain: () => opened?.drain(),
  };
  return {
    app,
    open(ready) {
      opened = ready;
    },
  };
}

type ServiceApp = ReturnType<typeof createApp>;

/** `prefix`: of the flags for host and port. */
async function listenOrExplain(
  app: App,
  { host, port }: { readonly host: string; readonly port: number },
  prefix = "",
): Promise<Listening> {
  try {
    return await listen(app, { host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new EnvironmentError(
        `port ${port} on ${host} is in use, perhaps by another x; stop it, or choose another port with --${prefix}port`,
      );
    }
    if (code === "EACCES")
      throw new EnvironmentError(`this user may not listen on port ${port}; choose another with --${prefix}port`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new EnvironmentError(`"${host}" is not an address of this machine; choose another with --${prefix}host`);
    throw error;
  }
}

/** The URL of the service; on loopback when it listens on every address. */
const reachable = (host: string, { port, url }: Listening): string =>
  host === "0.0.0.0" || host === "::" ? `http://127.0.0.1:${port}` : url;

const isLoopback = (host: string): boolean => /^(?:localhost|127\..*|::1)$/.test(host);

/** Lets requests in progress finish, then runs. */
async function drain(listening: Listening, metrics: Listening | undefined, renewed: RenewedRuntime): Promise<void> {
  const until = Date.now() + drainMs;
  await Promise.all([listening.close({ drainMs }), metrics?.close({ drainMs: 0 })]);
  await renewed.close(Math.max(minDrainMs, until - Date.now()));
}

async function notifyWhenSlow(work: Promise<unknown>, notify: () => void = () => undefined): Promise<void> {
  const cancel = systemClock.wakeAt(systemClock.now() + slowCloseMs, notify);
  try {
    await work;
  } finally {
    cancel();
  }
}

interface Place {
  readonly place: Pick<RuntimeOptions, "data" | "store">;
  /** Whether this start creates the data. */
  readonly isNew: boolean;
  /** Removes what a start in a folder has created. */
  readonly undo?: () => void;
}

async function findPlace(data: ServiceOptions["data"]): Promise<Place> {
  if (typeof data === "string") {
    const isNew = !hasData(data);
    return { place: { data }, isNew, ...(isNew && { undo: noteFolder(data) }) };
  }
  const store = await data();
  return { place: { store }, isNew: (await store.users()).length === 0 };
}

/** Closes the runtime of a start that failed; `undo` is for one that nobody can have used. */
async function closeFailed(runtime: Runtime, undo: (() => void) | undefined): Promise<void> {
  const isVain = undo && (await isUnused(runtime).catch(() => false));
  await runtime.close();
  if (isVain) undo();
}

/** Another runtime on the same store, started. */
async function beginAgain(
  data: ServiceOptions["data"],
  options: RuntimeOptions,
  prepare: ServiceOptions["prepare"],
): Promise<Runtime> {
  const { place } = await findPlace(data);
  const runtime = await createRuntime({ ...options, ...place });
  try {
    await prepare(runtime);
    await runtime.start();
    return runtime;
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

/** Shows the metrics of this runtime. Who lets others reach the port knows under which names they do. */
function openMetrics(gate: Gate, runtime: Runtime, { metrics, logger }: ServiceOptions): void {
  const hosts = metrics && isLoopback(metrics.host) ? [] : "any";
  gate.open(createMetricsApp(runtime, { hosts, ...(logger && { logger }) }));
}

/** The base of all URLs, the address here, and what the runtime needs of them. */
async function findUrls({ host, publicUrl: given, mountPath = "" }: ServiceOptions, listening: Listening) {
  const publicUrl = typeof given === "function" ? await given(listening.port) : given;
  const localUrl = reachable(host, listening) + mountPath;
  const urls = publicUrl === undefined ? { listeningUrl: localUrl } : { publicUrl };
  return { url: publicUrl ?? localUrl, localUrl, urls };
}

/**
 * Starts a service; resolves when it answers requests, or with undefined when it was stopped before. Releases everything
 * when it is stopped or fails. A first start that fails removes the data folder again, unless something was deployed.
 */
export async function startService(options: ServiceOptions): Promise<Service | undefined> {
  const {
    host,
    port,
    metrics,
    prepare,
    mountPath: _path,
    publicUrl: _url,
    stop,
    crashed,
    onSlowClose,
    exposed = (own) => own,
    inspector = false,
    data,
    watch,
    ...runtimeOptions
  } = options;
  const [gate, metricsGate] = [createGate(crashed), createGate(crashed)];
  const listening = await listenOrExplain(gate.app, { host, port });
  let runtime: Runtime | undefined;
  let metricsServer: Listening | undefined;
  let stopped: Promise<undefined> | undefined;
  let undo: (() => void) | undefined;
  try {
    const { url, localUrl, urls } = await findUrls(options, listening);
    const found = await findPlace(data);
    const opened = await createRuntime({ ...runtimeOptions, ...found.place, ...urls });
    runtime = opened;
    // Not before: until then another process may have the folder locked.
    undo = found.undo;
    const { clock, logger } = options;
    if (metrics) {
      openMetrics(metricsGate, opened, options);
      metricsServer = await listenOrExplain(metricsGate.app, metrics, "metrics-");
    }
    const end = (): void => {
      const ended = Promise.all([listening.close(), metricsServer?.close(), opened.close({ drainMs })]);
      stopped = notifyWhenSlow(ended, onSlowClose).then(() => undefined);
      stopped.catch(() => undefined);
    };
    stop.addEventListener("abort", end, { once: true });
    if (stop.aborted) end();
    await prepare(opened);
    await opened.start();
    const { user } = await opened.user();
    const { hostname, origin, pathname: mountPath } = new URL(url);
    const appOf = (made: Runtime): ServiceApp =>
      createApp(exposed(made), {
        ...(clock && { clock }),
        ...(logger && { logger }),
        // A proxy may keep the path of the public URL or remove it.
        ...(mountPath !== "/" && { mountPath }),
        inspector: inspector && { hosts: [host, hostname] },
      });
    const app = appOf(opened);
    stop.removeEventListener("abort", end);
    if (stop.aborted) return await stopped;
    gate.open(app);
    const renewed = renewRuntime(opened, {
      stop,
      logger: toLogger(logger),
      ...(watch && { watch }),
      // Only a store of several nodes lets a process that it has declared dead begin again.
      ...(typeof data !== "string" && {
        begin: () => beginAgain(data, { ...runtimeOptions, ...urls }, prepare),
      }),
      replaced(next) {
        gate.open(next && appOf(next));
        if (metrics && next) openMetrics(metricsGate, next, options);
      },
    });
    return {
      get runtime() {
        return renewed.runtime;
      },
      failed: renewed.failed,
      baseUrl: `${url}/v1`,
      localUrl,
      metricsUrl: metricsServer && `${metricsServer.url}/metrics`,
      newApiKey: found.isNew && options.apiKey === undefined ? user.apiKey : undefined,
      inspectorUrl: app.signInPath && origin + app.signInPath(),
      close: () => notifyWhenSlow(drain(listening, metricsServer, renewed), onSlowClose),
    };
  } catch (error) {
    // The failure is a result of the stop.
    if (stopped) return await stopped;
    await Promise.all([listening.close(), metricsServer?.close()]);
    if (runtime) await closeFailed(runtime, undo);
    throw error;
  }
}
