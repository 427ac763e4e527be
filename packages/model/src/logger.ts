/** The names of log fields and what they hold. Names are stable; messages are texts for people and may change. */
export const logFields = {
  source: "id of a source or workflow",
  name: "name of that source",
  execution: "id of a run",
  trigger: "id of a trigger, which its run has too",
  entry: "`run` or the hook",
  type: "what triggered the run: `TIMER`, `HTTP`, `SUBSCRIPTION`, `MANUAL`, `HOOK`",
  status:
    "how it ended: of a run `ok`, `error`, `timeout`, `out_of_memory`; of a delivery `delivered`, `pending`, `dead`; of a request its HTTP status",
  change: "change of a source: `create`, `update`, `pause`, `resume`, `delete`",
  hook: "hook of that change that was interrupted",
  action: "what the start does about it",
  webhook: "id of a webhook",
  delivery: "id of a delivery",
  attempt: "number of an attempt, from 1",
  http_status: "HTTP status of the receiver",
  account: "id of an account",
  app: "slug of its app",
  method: "HTTP method",
  path: "path of a request, without its query; the keys of endpoints are left out",
  error: "text of an error, with its stack where that helps",
  code: "code of an error",
  queued_ms: "wait of a run",
  sandbox_ms: "time in the sandbox",
  compute_ms: "time spent executing code",
  commit_ms: "duration of the commit",
  duration_ms: "duration of the whole",
  work: "what the main thread did: a method and route, or a part of a run; where several followed one another, the longest",
  emitted: "number of events",
  by_ms: "by how much the clock was set",
  count: "number of things that the message names",
  limit: "the limit that was reached",
  bytes: "size",
  most_bytes: "largest size",
  dropped: "number of things that were dropped: events by dedupe, lines of the log",
  folder: "a folder",
  file: "a file",
  key: "key of a component in the registry",
  version: "version of a component",
  components: "number of components",
  packages: "number of npm packages",
  requested: "npm packages that were asked for",
} as const;

export type LogFields = { readonly [name in keyof typeof logFields]?: unknown };

/** Receives log records of the runtime. `debug` is optional: without it, nothing is computed for its records. */
export interface Logger {
  debug?(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Absent; a logger of pino has it. */
  readonly bindings?: undefined;
}

/** A logger of pino, or one that is called like it: fields first. */
export interface PinoLike {
  bindings(): object;
  child(bindings: object): unknown;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** Loggers of other libraries, such as winston, have no bindings. */
const isPino = (logger: Logger | PinoLike): logger is PinoLike => typeof logger.bindings === "function";

/** The logger in the form in which it is called here: as given, or adapted when it is one of pino. */
export function toLogger(given: Logger | PinoLike = silentLogger): Logger {
  if (!isPino(given)) return given;
  return {
    debug: (message, fields = {}) => given.debug(fields, message),
    info: (message, fields = {}) => given.info(fields, message),
    warn: (message, fields = {}) => given.warn(fields, message),
    error: (message, fields = {}) => given.error(fields, message),
  };
}
