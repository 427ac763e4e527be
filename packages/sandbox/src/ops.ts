/** Numbers of the host functions behind the dispatch function. Shared by host and guest. */
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
  /** The workflow called `$.flow.exit`; its step continues until it leaves by itself. */
  exit: 18,
  /** Counters of instrumented code; text is JSON. */
  counters: 19,
  /** Promises were rejected and are not handled yet; the host asks for them when all jobs have run. */
  rejecting: 20,
  /** An unhandled rejection; text is its number, a line break, and its reason as a JSON string. */
  rejected: 21,
  /** A reported rejection is handled after all; text is its number. */
  rejectionHandled: 22,
  /** Work that the entry did not await; text is JSON. Answers the guest's `left`. */
  left: 23,
  /** Asks how many bytes the body of an answer may have; the host's answer is a text. */
  responseLimit: 24,
  /** A call of a data store; text is its number and the call as JSON, a line break, and the value as JSON. Answered as a request. */
  dataStore: 25,
  /** A call of Intl; text is an `IntlHead` as JSON, a line break, and the arguments as JSON. */
  intl: 40,
  /** Evaluates a part of the guest's code that is not in the prelude; text is its name. The machine handles it. */
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

/** Numbers of the guest's entries. */
export const guestOp = {
  /** Evaluates the module function of the component. */
  evaluate: 1,
  /** Asks for the description of the module. */
  describe: 2,
  /** Starts a call; text is the call as JSON. */
  call: 3,
  /** Fires timers; text is a JSON list of timer ids. */
  timers: 4,
  /** Settles one fetch; text is JSON, bytes the body. */
  fetched: 5,
  /** Evaluates parts of the guest's code; text is a JSON list of their names. */
  preload: 8,
  /** Does nothing, so that the host can run pending jobs. */
  idle: 6,
  /** From the engine: the given promise was rejected for the given reason, and is not handled. */
  rejected: 9,
  /** From the engine: the given promise, which was reported as rejected, is handled. */
  handled: 10,
  /** Asks for unhandled rejections. */
  rejections: 11,
  /** Asks for work that the entry did not await; text is `{ timers, requests }` as JSON, the ids of those pending. */
  left: 12,
  /** Other calls have changed the db; text is a JSON list of `DbChange`. */
  dbChanged: 13,
  /** Asks for the counters of instrumented code; text is `{ restart }` as JSON, true to set them to 0. */
  counters: 7,
} as const;

/** Global of a realm that holds the counters of instrumented code. */
export const countersName = "__coverage__";
/** File name of component bundles in stacks. */
export const bundleFileName = "bundle.js";
/** File name of the runtime's guest code in stacks; its frames are removed. */
export const preludeFileName = "x:prelude";
