import type { Clock } from "../process/clock.ts";
import type { Bundler, PropsRules } from "../components/contract.ts";
import { XError } from "../model/errors.ts";
import { checkOptions, rule, type Rule } from "../model/rules.ts";
import type { ObservedExecution } from "./events-api.ts";
import type { InstallPool, PackageProgress } from "../packages/contract.ts";
import type { Sandbox } from "../sandbox/contract.ts";
import type { Store } from "../store/contract.ts";

/** Everything that is bounded, with its unit in the name. */
export interface Limits {
  /** One call of `run`, in milliseconds; default 300,000. */
  readonly runTimeoutMs: number;
  /** One hook, in milliseconds; default 60,000. */
  readonly hookTimeoutMs: number;
  /** Somebody waits in front of a form for these: options and additionalProps. */
  readonly optionsTimeoutMs: number;
  /** Evaluating a module. Three times as much with npm packages. */
  readonly describeTimeoutMs: number;
  /** Time of processors for bundling. Three times as much with npm packages, as for `bundleMemoryBytes`. */
  readonly bundleTimeoutMs: number;
  /** Memory that one bundling may add; default 512 MiB. */
  readonly bundleMemoryBytes: number;
  /** Of one sandbox. */
  readonly memoryBytes: number;
  /** One file of a component; all of them together 16 times as much. */
  readonly codeBytes: number;
  /** Files of a component that is fetched from a URL. */
  readonly codeFiles: number;
  /** All of them together. */
  readonly codeFetchTimeoutMs: number;
  /** Bundle of a component with npm packages. */
  readonly bundleBytes: number;
  /** Resolving and fetching all npm packages of a component. */
  readonly packageTimeoutMs: number;
  /** One request to the npm registry. */
  readonly packageRequestTimeoutMs: number;
  /** Before components of the registry that could not have their packages are read again; doubles five times. */
  readonly packageRetryMs: number;
  /** Of the process that installs. */
  readonly packageMemoryBytes: number;
  /** Those that packages need included. */
  readonly packagesPerComponent: number;
  /** All archives of a component's packages together. */
  readonly packageArchiveBytes: number;
  /** All code of a component's packages together. */
  readonly packageUnpackedBytes: number;
  /** Events kept of each source and stream. */
  readonly retention: number;
  /** Ids that `dedupe: "unique"` remembers per channel. */
  readonly dedupeCacheSize: number;
  /** One event, as JSON; default 6 MiB. */
  readonly emitBytes: number;
  /** Levels that an event may nest. */
  readonly emitDepth: number;
  /** Events of one run; default 100,000. */
  readonly emitsPerRun: number;
  /** Names that the events of a run may have. */
  readonly channelsPerRun: number;
  /** Events and db writes of a run together. */
  readonly effectBytesPerRun: number;
  /** Body of the answer of a run to a request. */
  readonly responseBytes: number;
  /** Longer summaries are cut. */
  readonly summaryChars: number;
  /** Log records of one run; default 100. */
  readonly logsPerRun: number;
  /** One log record, as JSON; default 16 KiB. */
  readonly logRecordBytes: number;
  /** One value, as JSON. */
  readonly dbValueBytes: number;
  /** All values of a source. */
  readonly dbBytes: number;
  /** One key of a db; default 512 bytes. */
  readonly dbKeyBytes: number;
  /** Body of a request to an endpoint. */
  readonly httpBodyBytes: number;
  /** Triggers of a source that wait; more are `queue_full`, as are those beyond the bytes below. */
  readonly inboxPerSource: number;
  /** Bytes of the triggers of a source that wait, 2 KiB added for each; default 64 MiB. */
  readonly inboxBytesPerSource: number;
  /** The same for all sources of a user; default 256 MiB. */
  readonly inboxBytesPerUser: number;
  /** The same for all users; default 1 GiB. */
  readonly inboxBytes: number;
  /** Bytes of requests and manual events that are being stored at the same time; more are `queue_full`. */
  readonly acceptingBytes: number;
  /** How long a change of a source waits for what it is doing before it is `busy`. */
  readonly busyWaitMs: number;
  /** One request of a component, in milliseconds; default 60,000. */
  readonly fetchTimeoutMs: number;
  /** Body of an answer to a component; default 64 MiB. */
  readonly fetchBodyBytes: number;
  /** Redirects that one request follows; default 20. */
  readonly fetchRedirects: number;
  /** What requests of all components, and their answers, hold outside of sandboxes. */
  readonly fetchBytesInFlight: number;
  /** One attempt to deliver to a webhook, in milliseconds; default 15,000. */
  readonly deliveryTimeoutMs: number;
  /** Body of a receiver's answer; default 64 KiB. */
  readonly deliveryResponseBytes: number;
  /** Deliveries under way at once. */
  readonly deliverySockets: number;
  /** Subscriptions and calls of own endpoints that may follow one from another; then the chain is a `subscription_loop`. */
  readonly deliveryHops: number;
}

/** The limits that hold without options. */
export const defaults: Limits = Object.freeze({
  runTimeoutMs: 300_000,
  hookTimeoutMs: 60_000,
  optionsTimeoutMs: 30_000,
  describeTimeoutMs: 5_000,
  bundleTimeoutMs: 10_000,
  bundleMemoryBytes: 512 * 1024 * 1024,
  memoryBytes: 256 * 1024 * 1024,
  codeBytes: 512 * 1024,
  codeFiles: 100,
  codeFetchTimeoutMs: 30_000,
  bundleBytes: 24 * 1024 * 1024,
  packageTimeoutMs: 60_000,
  packageRequestTimeoutMs: 20_000,
  packageRetryMs: 15_000,
  packageMemoryBytes: 512 * 1024 * 1024,
  packagesPerComponent: 1_500,
  packageArchiveBytes: 100 * 1024 * 1024,
  packageUnpackedBytes: 400 * 1024 * 1024,
  retention: 100,
  dedupeCacheSize: 100,
  emitBytes: 6 * 1024 * 1024,
  emitDepth: 256,
  emitsPerRun: 100_000,
  channelsPerRun: 1_000,
  effectBytesPerRun: 32 * 1024 * 1024,
  responseBytes: 32 * 1024 * 1024,
  summaryChars: 1_000,
  logsPerRun: 100,
  logRecordBytes: 16 * 1024,
  dbValueBytes: 60 * 1024,
  dbBytes: 1024 * 1024,
  dbKeyBytes: 512,
  httpBodyBytes: 512 * 1024,
  inboxPerSource: 1_000,
  inboxBytesPerSource: 64 * 1024 * 1024,
  inboxBytesPerUser: 256 * 1024 * 1024,
  inboxBytes: 1024 * 1024 * 1024,
  acceptingBytes: 64 * 1024 * 1024,
  busyWaitMs: 30_000,
  fetchTimeoutMs: 60_000,
  fetchBodyBytes: 64 * 1024 * 1024,
  fetchRedirects: 20,
  fetchBytesInFlight: 512 * 1024 * 1024,
  deliveryTimeoutMs: 15_000,
  deliveryResponseBytes: 64 * 1024,
  deliverySockets: 64,
  deliveryHops: 10,
});

/** What components may reach. `deny-private` is the default. */
export interface NetworkOptions {
  readonly mode?: "deny-private" | "allow-private" | "none";
  /** Only these hosts (exact name, `*.suffix`, address or CIDR) when given. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Every request goes to this origin with the original URL in `x-original-url`. */
  readonly upstream?: string;
  /**
   * Sends requests in the runtime's place, one call for each hop of a redirect (`redirect` is `manual`). URLs are checked
   * as they are written; which address is connected to is its own choice. What it rejects with fails the request.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The same with plain data: Node takes a while to load its `Request` and `Response`. Goes before `fetch`. */
  readonly exchange?: (request: PlainRequest) => Promise<PlainReply>;
}

/** One hop of a request, on its way out. */
export interface PlainRequest {
  readonly method: string;
  /** Without credentials and fragment. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

export interface PlainReply {
  /** 200 to 599. */
  readonly status: number;
  readonly statusText?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded, whatever `content-encoding` says. */
  readonly body: Uint8Array;
}

/** Where npm packages of components come from. The user's npm configuration (npmrc, environment) holds beside it. */
export interface PackageOptions {
  /** Instead of the configured registry; registries of scopes stay. */
  readonly registry?: string;
  /**
   * Folder of what was fetched; may be shared by runtimes and processes. Default: `packages` in the data folder, without
   * one the user's cache folder (`$XDG_CACHE_HOME/x/packages`).
   */
  readonly cache?: string;
  /**
   * Size of that folder; default: 2 GiB. Beyond it the packages that were used longest ago go, but for those of deployed
   * sources and workflows, and what was used within the hour.
   */
  readonly cacheBytes?: number;
  /** Hears what installations are doing. */
  readonly onProgress?: (progress: PackageProgress) => void;
}

export interface Logger {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** A Keyv, by shape: any version whose promises reject on errors. */
export interface KeyvLike {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  throwOnErrors?: boolean;
}

/** Credentials of an app prop, for `$auth`: an object, or a promise of one. */
export type AccountsCallback = (request: { app: string; id: string }) => unknown;

/** A component of the registry. */
export type RegistryModule = { readonly file: string; readonly root?: string } | { readonly code: string };

export interface EngineOptions {
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Sandbox worker threads; default: cores - 1, at least 1. 0: components run in this very thread, in the same sandbox. A
   * call then costs no hop to another thread, but code that never ends holds everything up to its deadline, and one long
   * step inside the engine (a huge number, say) beyond it: for tests and tools, not for strangers' code.
   */
  readonly workers?: number | undefined;
  /** Starts the threads and the bundler now: by default they start when they are first needed. */
  readonly warm?: boolean | undefined;
  /**
   * What runs components; default "quickjs", the sandbox. "node" runs them in this very thread, in realms of Node, so that
   * a debugger stops at breakpoints in the author's files, and deadlines wait while Node's inspector is open. For debugging alone:
   * there is NO isolation, no cap on memory, and code that never ends blocks the process up to its deadline.
   */
  readonly sandbox?: SandboxKind | undefined;
  /**
   * Folder in which builds of components deployed by file are kept for other processes; see `findBuildsFolder`. Default:
   * each process bundles anew. One that is kept is used while the files have the same contents and imports lead to the same
   * files, those of packages in `node_modules` included; with packages that the runtime installs it is bundled anew.
   */
  readonly buildsFolder?: string | undefined;
  /** Counts what runs of components deployed by file, for coverage. */
  readonly instrument?: Instrumentation | undefined;
}

export type SandboxKind = "quickjs" | "node";

export interface Instrumentation {
  /**
   * File URL of a module whose default export is an `Instrument`. The bundling process loads it, and trusts it. What it
   * adds counts in the global `__coverage__`, in the form of Istanbul.
   */
  readonly module: string;
  /** Told that global as JSON text after each module that was evaluated and each call, also of calls that were stopped. */
  readonly counted: (counters: string) => void;
}

/** What runtimes of one process can share. Made by `createEngine`; its parts are for the runtime alone. */
export interface Engine extends AsyncDisposable {
  /** Of every runtime that uses it. */
  readonly limits: Limits;
  /** @internal */
  readonly sandbox: Sandbox;
  /** @internal */
  readonly bundler: Bundler;
  /** @internal */
  readonly installs: InstallPool;
  /** @internal */
  readonly props: PropsRules;
  /** Ends every thread and process of it. */
  close(): Promise<void>;
}

/** Records in memory that outlive a runtime. Made by `createMemory`. */
export interface Memory {
  /** @internal Takes the records over: what was opened before fails with `closed`. */
  open(): Store;
  /** The records as they are now, in a memory of their own. */
  copy(): Memory;
}

export interface RuntimeOptions {
  /** Data folder of the SQLite store; absent: everything in memory. */
  readonly data?: string;
  /** Instead of `data`: records in memory that the next runtime with them finds; of one runtime at a time. */
  readonly memory?: Memory;
  /**
   * Keeps `$.service.db` in this Keyv, one entry `db:<source id>` for each source; writes are flushed just before the commit
   * (at least once).
   */
  readonly keyv?: KeyvLike;
  /** Default: the system's. `manualClock(ms)` moves when you say. */
  readonly clock?: Clock;
  /** Hears what no caller is told; default: nobody does. */
  readonly logger?: Logger;
  /** What components may reach; default: public addresses only. */
  readonly network?: NetworkOptions;
  /** Limits that differ from `defaults`. */
  readonly limits?: Partial<Limits>;
  /** npm packages that components import; false: components have none. */
  readonly packages?: PackageOptions | false;
  /** Sandbox worker threads; default: cores - 1, at least 1. 0: none, as `EngineOptions` tells. */
  readonly workers?: number;
  /** Shared with other runtimes; `limits` and `workers` are then the engine's. Absent: the runtime has its own. */
  readonly engine?: Engine;
  /** A throw drops the emits and db writes of its run, where neither component nor settings say otherwise; default false. */
  readonly transactional?: boolean;
  /** Base of endpoint URLs; default `http://127.0.0.1:7777`. */
  readonly publicUrl?: string;
  /** API key of the first user, from now on: 1 to 512 characters. Absent: the one it has, or a new one when the store is new. */
  readonly apiKey?: string;
  /**
   * Answers for `$auth` before stored accounts do, with a JSON object. With it, account ids in props are the embedder's:
   * none is checked, and a stored account of the source's user serves only where the callback gives undefined; where there
   * is none either, `$auth` is `{}`.
   */
  readonly accounts?: AccountsCallback;
  /**
   * "allow": a source whose required app prop has no account is deployed, and its `$auth` is empty, as tools and tests want it.
   * Default "refuse": it is `invalid_props`.
   */
  readonly missingAccounts?: "refuse" | "allow";
  /**
   * Encrypts the secrets in the data folder: 32 bytes in hex or base64, or a passphrase of at least 12 characters.
   * Absent: the key in the file `x.key` of the folder, which the first start makes.
   */
  readonly secretKey?: string;
  /**
   * Components that every user finds by their keys: a folder, which is followed while it changes, or modules. They
   * are read in the background; a key that one of them seems to have is waited for.
   */
  readonly registry?: string | readonly RegistryModule[];
  /**
   * Told of every `run` and hook that has ended, right before what it left is committed; after a commit that fails, the
   * same trigger may be seen again. For tests and measurements: what must not be lost is in the streams.
   */
  readonly observe?: (observed: ObservedExecution) => void;
  /** Milliseconds before each attempt of a webhook delivery, the first included; default: ten attempts over 75 hours. Each wait is made longer by up to a fifth, by chance, and by `Retry-After` up to a day. */
  readonly deliverySchedule?: readonly number[];
}

/** What limits must be. */
export const limitsRule: Rule = rule.object(
  "an object of limits",
  Object.fromEntries(Object.keys(defaults).map((name) => [name, rule.positive])),
);

/** Merges limits over the defaults; refuses anything but positive integers, and names that do not exist. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  checkOptions({ limits: given }, { limits: limitsRule });
  return Object.freeze({ ...defaults, ...given });
}

/** Limits of a runtime: its own, or those of the engine that it shares, which came before it. */
export function runtimeLimits({ engine, limits, workers }: RuntimeOptions): Limits {
  if (!engine) return resolveLimits(limits);
  if (workers !== undefined) throw new XError("invalid_options", ["workers", "none beside an engine", String(workers)]);
  if (limits) throw new XError("invalid_options", ["limits", "none beside an engine", JSON.stringify(limits)]);
  return engine.limits;
}
