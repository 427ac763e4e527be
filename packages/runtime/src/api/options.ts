import type { Clock } from "../process/clock.ts";
import type { Logger, PinoLike } from "./logger.ts";
import type { Bundler, PropsRules } from "../components/contract.ts";
import { XError } from "../model/errors.ts";
import { checkOptions, rule, type Rule } from "../model/rules.ts";
import type { ObservedExecution } from "./events-api.ts";
import type { ObserveHooks } from "./observe-api.ts";
import type { InstallPool, PackageProgress } from "../packages/contract.ts";
import type { Sandbox } from "../sandbox/contract.ts";
import type { Store } from "../store/contract.ts";

/** Limits; names end in their units. */
export interface Limits {
  /** One call of `run`, in milliseconds; default 300,000. */
  readonly runTimeoutMs: number;
  /** One hook, in milliseconds; default 60,000. */
  readonly hookTimeoutMs: number;
  /** One call of `options` or `additionalProps`, in milliseconds; default 30,000. */
  readonly optionsTimeoutMs: number;
  /** Evaluation of a module, in milliseconds; default 5,000. Three times as much with npm packages. */
  readonly describeTimeoutMs: number;
  /** CPU time of one bundling, in milliseconds; default 10,000. Three times as much with npm packages. */
  readonly bundleTimeoutMs: number;
  /** Memory that one bundling may add; default 512 MiB. Three times as much with npm packages. */
  readonly bundleMemoryBytes: number;
  /** Memory of one sandbox; default 256 MiB. */
  readonly memoryBytes: number;
  /** One file of a component; default 512 KiB. All files together: 16 times as much. */
  readonly codeBytes: number;
  /** Files of a component from a URL; default 100. */
  readonly codeFiles: number;
  /** Fetching all files of a component from a URL, in milliseconds; default 30,000. */
  readonly codeFetchTimeoutMs: number;
  /** Bundle of a component with npm packages; default 24 MiB. */
  readonly bundleBytes: number;
  /** Resolving and fetching all npm packages of a component, in milliseconds; default 60,000. */
  readonly packageTimeoutMs: number;
  /** One request to the npm registry, in milliseconds; default 20,000. */
  readonly packageRequestTimeoutMs: number;
  /** Wait before a component of the registry whose packages failed is read again, in milliseconds; default 15,000. Doubles five times. */
  readonly packageRetryMs: number;
  /** Memory of the installing process; default 512 MiB. */
  readonly packageMemoryBytes: number;
  /** npm packages of a component, dependencies included; default 1,500. */
  readonly packagesPerComponent: number;
  /** All package archives of a component together; default 100 MiB. */
  readonly packageArchiveBytes: number;
  /** All unpacked packages of a component together; default 400 MiB. */
  readonly packageUnpackedBytes: number;
  /** Events kept for each source and stream; default 100. */
  readonly retention: number;
  /** Executions stored for each source; default 100. 0: none, and none is recorded. */
  readonly executionsPerSource: number;
  /** Failed executions stored for each source, in addition to the newest ones; default 100. */
  readonly failedExecutionsPerSource: number;
  /** All stored executions of a source, about; default 8 MiB. The newest is stored in any case. */
  readonly executionBytesPerSource: number;
  /** Ids that `dedupe: "unique"` caches per channel; default 100. */
  readonly dedupeCacheSize: number;
  /** One event, as JSON; default 6 MiB. */
  readonly emitBytes: number;
  /** Nesting levels of an event; default 256. */
  readonly emitDepth: number;
  /** Events of one run; default 100,000. */
  readonly emitsPerRun: number;
  /** Distinct names (channels) of the events of one run; default 1,000. */
  readonly channelsPerRun: number;
  /** Events and db writes of one run together; default 32 MiB. */
  readonly effectBytesPerRun: number;
  /** Body of a response of a run; default 32 MiB. */
  readonly responseBytes: number;
  /** Longer summaries are cut; default 1,000. */
  readonly summaryChars: number;
  /** Log records of one run; default 100. */
  readonly logsPerRun: number;
  /** One log record, as JSON; default 16 KiB. */
  readonly logRecordBytes: number;
  /** One db value, as JSON; default 60 KiB. */
  readonly dbValueBytes: number;
  /** All db values of a source; default 1 MiB. */
  readonly dbBytes: number;
  /** One db key; default 512 bytes. */
  readonly dbKeyBytes: number;
  /** Body of a request to an endpoint; default 512 KiB. */
  readonly httpBodyBytes: number;
  /** Waiting triggers of a source; default 1,000. More are refused with `queue_full`, also beyond the byte limits below. */
  readonly inboxPerSource: number;
  /** Bytes of waiting triggers of a source, plus 2 KiB for each; default 64 MiB. */
  readonly inboxBytesPerSource: number;
  /** `inboxBytesPerSource` for all sources of a user together; default 256 MiB. */
  readonly inboxBytesPerUser: number;
  /** `inboxBytesPerSource` for all sources together; default 1 GiB. */
  readonly inboxBytes: number;
  /** Bytes of triggers that are being stored at the same time; default 64 MiB. More are refused with `queue_full`. */
  readonly acceptingBytes: number;
  /** How long a change of a source waits for its runs and other changes, in milliseconds; then it fails with `busy`. Default 30,000. */
  readonly busyWaitMs: number;
  /** One request of a component, in milliseconds; default 60,000. */
  readonly fetchTimeoutMs: number;
  /** Body of a response to a component; default 64 MiB. */
  readonly fetchBodyBytes: number;
  /** Redirects per request; default 20. */
  readonly fetchRedirects: number;
  /** Memory outside of sandboxes for requests of all components and their responses; default 512 MiB. */
  readonly fetchBytesInFlight: number;
  /** One attempt to deliver to a webhook, in milliseconds; default 15,000. */
  readonly deliveryTimeoutMs: number;
  /** Body of a response to a delivery; default 64 KiB. */
  readonly deliveryResponseBytes: number;
  /** Concurrent deliveries; default 64. */
  readonly deliverySockets: number;
  /** Longest chain of subscriptions and endpoint calls; default 10. Longer ones fail with `subscription_loop`. */
  readonly deliveryHops: number;
}

/** The default limits. */
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
  executionsPerSource: 100,
  failedExecutionsPerSource: 100,
  executionBytesPerSource: 8 * 1024 * 1024,
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

/** Network access of components. The default mode is `deny-private`. */
export interface NetworkOptions {
  readonly mode?: "deny-private" | "allow-private" | "none";
  /** Allows only these hosts: exact names, `*.suffix`, addresses or CIDRs. Default: all. */
  readonly allow?: readonly string[];
  /** Forbids these hosts, in the same forms. Default: none. */
  readonly deny?: readonly string[];
  /** Sends every request to this origin, with the original URL in `x-original-url`. */
  readonly upstream?: string;
  /**
   * Replaces the runtime's HTTP client; called once for each hop of a redirect (`redirect` is `manual`). The runtime checks
   * the text of URLs, but not the addresses that this function connects to. Its rejection fails the request.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** `fetch` with plain data, which avoids loading `Request` and `Response`. Used instead of `fetch` when both are given. */
  readonly exchange?: (request: PlainRequest) => Promise<PlainReply>;
}

/** One hop of an outgoing request. */
export interface PlainRequest {
  readonly method: string;
  /** Without credentials and fragment. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Aborts when the reply is no longer needed. */
  readonly signal: AbortSignal;
}

export interface PlainReply {
  /** 200 to 599. */
  readonly status: number;
  readonly statusText?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Already decoded, even with a `content-encoding` header. */
  readonly body: Uint8Array;
}

/** Source of npm packages for components. The npm configuration of the user (npmrc, environment) applies too. */
export interface PackageOptions {
  /** Replaces the configured registry, except for scopes with their own. */
  readonly registry?: string;
  /**
   * Cache folder; runtimes and processes may share it. Default: `packages` in the data folder; without a data folder
   * `$XDG_CACHE_HOME/x/packages`.
   */
  readonly cache?: string;
  /**
   * Size of that folder; default 2 GiB. Beyond it the least recently used packages are removed, except those of deployed
   * sources and workflows, and those used within the last hour.
   */
  readonly cacheBytes?: number;
  /** Called with the progress of installations. */
  readonly onProgress?: (progress: PackageProgress) => void;
}

/** The methods of a Keyv. Its promises must reject on errors. */
export interface KeyvLike {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  throwOnErrors?: boolean;
}

/** Returns the credentials of an app prop for `$auth`: an object, or a promise of one. */
export type AccountsCallback = (request: { app: string; id: string }) => unknown;

/** A component of the registry. */
export type RegistryModule = { readonly file: string; readonly root?: string } | { readonly code: string };

export interface EngineOptions {
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Sandbox worker threads; default: cores - 1, at least 1. 0: components run in the calling thread, in the same sandbox.
   * Calls are then faster, but an endless loop blocks the process until its deadline, and one long step of the engine (such
   * as arithmetic on a huge number) even longer: for tests and tools, not for untrusted code.
   */
  readonly workers?: number | undefined;
  /** Starts threads and bundler at once; default false: at their first use. */
  readonly warm?: boolean | undefined;
  /**
   * The engine of components; default "quickjs", the sandbox. "node" runs them in the calling thread, in realms of Node, so
   * that a debugger stops at breakpoints in the author's files; deadlines are suspended while Node's inspector is open. Only
   * for debugging: there is NO isolation, no memory limit, and an endless loop blocks the process until its deadline.
   */
  readonly sandbox?: SandboxKind | undefined;
  /**
   * Folder with cached builds of components deployed by file, shared by processes; see `findBuildsFolder`. Default: no
   * cache. A cached build is used while its files, including those in `node_modules`, have the same contents and imports
   * resolve to the same files. Components with packages that the runtime installs are not cached.
   */
  readonly buildsFolder?: string | undefined;
  /** Counts executed code of components deployed by file, for coverage. */
  readonly instrument?: Instrumentation | undefined;
}

export type SandboxKind = "quickjs" | "node";

export interface Instrumentation {
  /**
   * File URL of a module whose default export is an `Instrument`. The bundling process loads and trusts it. The code that
   * it adds counts in the global `__coverage__`, in Istanbul's format.
   */
  readonly module: string;
  /** Called with that global as JSON text after each evaluation of a module and each call, also after stopped calls. */
  readonly counted: (counters: string) => void;
}

/** Threads and processes that several runtimes of one process can share; created by `createEngine`. */
export interface Engine extends AsyncDisposable {
  /** Limits of every runtime that uses the engine. */
  readonly limits: Limits;
  /** @internal */
  readonly sandbox: Sandbox;
  /** @internal */
  readonly bundler: Bundler;
  /** @internal */
  readonly installs: InstallPool;
  /** @internal */
  readonly props: PropsRules;
  /** Ends all its threads and processes. */
  close(): Promise<void>;
}

/** Records in memory that outlive a runtime; created by `createMemory`. */
export interface Memory {
  /** @internal Opens the records; a store opened before fails with `closed`. */
  open(): Store;
  /** A separate copy of the current records. */
  copy(): Memory;
}

export interface RuntimeOptions {
  /** Data folder of the SQLite store; absent: all data is in memory. */
  readonly data?: string;
  /** Instead of `data`: records in memory, for one runtime at a time. The next runtime with this memory finds them. */
  readonly memory?: Memory;
  /**
   * Instead of `data`: a store on a database server, such as `openPostgres` of `@x/postgres` opens. The runtime closes it.
   * Needs `secretKey`.
   */
  readonly store?: Store;
  /**
   * Stores `$.service.db` in this Keyv, as one entry `db:<source id>` for each source. Writes are flushed just before the
   * commit, at least once.
   */
  readonly keyv?: KeyvLike;
  /** Default: the system clock. `manualClock(ms)` moves only when you call it. */
  readonly clock?: Clock;
  /** Receives problems that no caller receives, by our methods or those of pino; default: none. */
  readonly logger?: Logger | PinoLike;
  /** Network access of components; default: public addresses only. */
  readonly network?: NetworkOptions;
  /** Limits that differ from `defaults`. */
  readonly limits?: Partial<Limits>;
  /** npm packages that components import; false: imports of packages fail. */
  readonly packages?: PackageOptions | false;
  /** Sandbox worker threads; default: cores - 1, at least 1. 0: none, see `EngineOptions`. */
  readonly workers?: number;
  /** Engine shared with other runtimes, which defines `limits` and `workers`. Absent: the runtime creates its own. */
  readonly engine?: Engine;
  /** Drops events and db writes of runs that throw, unless the component or the settings of the source decide; default false. */
  readonly transactional?: boolean;
  /** Base of endpoint URLs; default `http://127.0.0.1:7777`. */
  readonly publicUrl?: string;
  /** Sets the API key of the first user: 1 to 512 characters. Absent: the stored key; a new store generates one. */
  readonly apiKey?: string;
  /**
   * Returns credentials for `$auth`, a JSON object, before stored accounts are used. With it, account ids in props are not
   * checked. Where it returns undefined, the stored account of the source's user is used; without one, `$auth` is `{}`.
   */
  readonly accounts?: AccountsCallback;
  /**
   * "allow" deploys sources whose required app props have no account, with an empty `$auth`: for tools and tests. Default
   * "refuse": `invalid_props`.
   */
  readonly missingAccounts?: "refuse" | "allow";
  /**
   * Encrypts the secrets in the data folder: 32 bytes in hex or base64, or a passphrase of at least 12 characters.
   * Absent: the key in the file `x.key` of the folder, which the first start creates.
   */
  readonly secretKey?: string;
  /**
   * Components that every user finds by key: a folder, which is watched, or modules. They are read in the background; a
   * lookup waits for files that seem to declare its key.
   */
  readonly registry?: string | readonly RegistryModule[];
  /**
   * Functions that are called when something happens; one function is the hook `end`, after every `run` and hook. For tests
   * and measurements: only the streams are reliable.
   */
  readonly observe?: ((ended: ObservedExecution) => void) | ObserveHooks;
  /**
   * Milliseconds before each attempt of a webhook delivery, including the first; default: ten attempts over 75 hours. Each
   * wait is extended by up to a fifth at random, and by `Retry-After` up to a day.
   */
  readonly deliverySchedule?: readonly number[];
}

/** Limits that may be 0. */
const counts: readonly string[] = ["executionsPerSource", "failedExecutionsPerSource"] satisfies (keyof Limits)[];

/** The rule of the `limits` option. */
export const limitsRule: Rule = rule.object(
  "an object of limits",
  Object.fromEntries(Object.keys(defaults).map((name) => [name, counts.includes(name) ? rule.count : rule.positive])),
);

/** Merges limits over the defaults. Throws `invalid_options` for unknown names and for values that are not integers in range. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  checkOptions({ limits: given }, { limits: limitsRule });
  return Object.freeze({ ...defaults, ...given });
}

/** Limits of a runtime: its own, or those of its shared engine. */
export function runtimeLimits({ engine, limits, workers }: RuntimeOptions): Limits {
  if (!engine) return resolveLimits(limits);
  if (workers !== undefined) throw new XError("invalid_options", ["workers", "none beside an engine", String(workers)]);
  if (limits) throw new XError("invalid_options", ["limits", "none beside an engine", JSON.stringify(limits)]);
  return engine.limits;
}
