import type { AccountsCallback } from "@x/accounts";
import type { Bundler, InstallPool, PackageOptions, PropsRules, RegistryModule } from "@x/components";
import { XError, resolveLimits, type Clock, type Limits, type Logger, type PinoLike } from "@x/model";
import type { KeyvLike, Memory, Store } from "@x/store";
import type { ObservedExecution } from "./events-api.ts";
import type { ObserveHooks } from "./observe-api.ts";
import type { Sandbox, SandboxKind } from "@x/sandbox";

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

export interface EngineOptions {
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Sandbox worker threads; default: cores - 1, at least 1. 0: components run in the calling thread, in the same sandbox.
   * Calls are then faster, but an endless loop blocks the process until its deadline, and one long step of the engine (such
   * as arithmetic on a huge number) even longer: for tests and tools, not for untrusted code.
   */
  readonly workers?: number | undefined;
  /**
   * Starts threads and bundler at once; default false: at their first use. With cached builds the bundler still waits for its
   * first use, unless this is "changing": code is being edited, so what is cached is probably out of date.
   */
  readonly warm?: boolean | "changing" | undefined;
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
  /**
   * Reads integers beyond 2^53 in JSON bodies of requests and in `response.json()` as texts, unless the component or the
   * settings of the source decide; default false.
   */
  readonly exactIntegers?: boolean;
  /**
   * The URL that senders call: the base of endpoint URLs and of `event.url`, which proxies would change. It may have a path.
   * Absent: `listeningUrl`, and `event.url` is the URL of each request.
   */
  readonly publicUrl?: string;
  /** The URL that the server of the endpoints listens at. Default `http://127.0.0.1:7777`. */
  readonly listeningUrl?: string;
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

/** Limits of a runtime: its own, or those of its shared engine. */
export function runtimeLimits({ engine, limits, workers }: RuntimeOptions): Limits {
  if (!engine) return resolveLimits(limits);
  if (workers !== undefined) throw new XError("invalid_options", ["workers", "none beside an engine", String(workers)]);
  if (limits) throw new XError("invalid_options", ["limits", "none beside an engine", JSON.stringify(limits)]);
  return engine.limits;
}
