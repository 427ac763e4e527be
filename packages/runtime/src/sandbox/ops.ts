/** Numbers of the host functions behind the one dispatch function, and of the guest's entries. Shared by both sides of the wall. */
export const hostOp = {
  log: 1,
  emit: 2,
  dbSet: 3,
  respond: 4,
  fetch: 5,
  fetchAbort: 6,
  timerStart: 7,
  timerClear: 8,
  random: 9,
  urlParse: 10,
  done: 11,
  utf8Encode: 12,
  utf8Decode: 13,
  described: 14,
  monotonic: 15,
  encodingName: 16,
  /** A step of a workflow begins; text is its name as JSON. */
  step: 17,
  /** A workflow has been told to end; its step may still do what it does on the way out. */
  exit: 18,
  /** What instrumented code has counted; text is JSON. */
  counters: 19,
  /** Promises were rejected that nobody handles yet: ask when all jobs have run. */
  rejecting: 20,
  /** One that is still not handled; text is its number, a line break, and what is known of its reason as JSON. */
  rejected: 21,
  /** One that was told is handled after all; text is its number. */
  rejectionHandled: 22,
  /** What the entry left behind when it returned; text is JSON. Answers the guest's `left`. */
  left: 23,
  /** A call of Intl; text is an `IntlHead` as JSON, a line break, and the arguments as JSON. */
  intl: 40,
  /** Evaluates a part of the guest's code that was left out of the prelude; text is its name. The machine answers itself. */
  part: 41,
  /** The same for a built-in of Node; text is `node:` and its name. */
  builtin: 42,
  /** Cryptography; text is `[function, options, lengths of the parts]`, bytes are the parts. */
  crypto: 50,
  /** The same for new keys. */
  generate: 51,
  /** The same for compression. */
  zlib: 52,
} as const;

export const guestOp = {
  /** Takes the component's module function; evaluates it. */
  evaluate: 1,
  /** Asks for the description of what was evaluated. */
  describe: 2,
  /** Starts a call; text is the call as JSON. */
  call: 3,
  /** Fires timers; text is a JSON list of timer ids. */
  timers: 4,
  /** Settles one fetch; text is JSON, bytes the body. */
  fetched: 5,
  /** Evaluates parts of the guest's code; text is a JSON list of their names. */
  preload: 8,
  /** Runs nothing; lets the host pump pending jobs. */
  idle: 6,
  /** The engine: the promise given was rejected, for the reason given, and nobody handles it. */
  rejected: 9,
  /** The engine: somebody handles the promise given, which was said to be rejected. */
  handled: 10,
  /** Tells of rejections that nobody has handled. */
  rejections: 11,
  /** Tells what the entry left behind; text is `{ timers, requests }` as JSON, the numbers of what is pending. */
  left: 12,
  /** Sends what instrumented code has counted; text is `{ restart }` as JSON: count from 0 again? */
  counters: 7,
} as const;

/** Global of a realm in which instrumented code counts. */
export const countersName = "__coverage__";
/** File name under which component bundles are evaluated; stacks refer to it. */
export const bundleFileName = "bundle.js";
/** File name of the runtime's own guest code; its frames are trimmed from stacks. */
export const preludeFileName = "x:prelude";
