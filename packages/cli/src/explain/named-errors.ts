import type { ErrorRow } from "@x/runtime/errors";

/** The explanation of a code or rule. */
export type Explanation = Pick<ErrorRow, "meaning" | "cause" | "fix">;

/** Names of errors in logs and in `$errors` records (as `code`), and the codes of x itself in JSON output. */
export const namedErrors: { readonly [name: string]: Explanation } = {
  TimeoutError: {
    meaning: "The run exceeded its time limit (sandbox_timeout), or an AbortSignal.timeout() of the component fired.",
    cause: "An endless loop, a request that hangs, or more work than fits into one run.",
    fix: "Do less per run and keep a cursor in $.service.db, or allow more with --run-timeout.",
  },
  MemoryError: {
    meaning: "The run exceeded its memory limit (sandbox_out_of_memory).",
    cause: "A list or string that grows without bounds, or a large download in memory.",
    fix: "Read page by page and emit as you go, or allow more with --memory.",
  },
  DedupeIdRequiredError: {
    meaning: "this.$emit() was called without a usable id, and the component declares dedupe.",
    cause:
      "Without an id, x cannot know an event again; other platforms drop it silently. NaN (Date.parse(undefined)), Infinity, null and an empty string are no ids: later events look like the first.",
    fix: "Pass an id that identifies the event: this.$emit(event, { id: event.id }). Or remove dedupe.",
  },
  DedupeIdNotNumericError: {
    meaning: 'The id of an event is not a number, and the component declares dedupe: "greatest".',
    cause: "greatest compares ids as numbers, such as increasing ids or timestamps.",
    fix: 'Use a finite decimal number as the id: 17, "17" or "1.5e3", of at most 1,000 characters; white space around it does not count. Or use dedupe: "unique".',
  },
  EmitNameError: {
    meaning: "An event was emitted with an invalid channel name.",
    cause:
      "$errors and $logs are streams of the runtime, names that begin with $ are reserved, and a name has at most 256 bytes.",
    fix: "Choose another name, or omit name for the default stream.",
  },
  EmitSerializationError: {
    meaning: "An event cannot be serialized as JSON.",
    cause: "A BigInt, a circular reference, or a function as the event; the message has the path.",
    fix: "Convert it first: String(value) for a BigInt, and only the members of an object that you need.",
  },
  EmitTooLargeError: {
    meaning: "One event exceeds the size limit.",
    cause: "A whole file or response in an event.",
    fix: "Emit a link, or only the members that you need.",
  },
  EmitTooDeepError: {
    meaning: "One event exceeds the nesting limit.",
    cause: "A tree or a linked list.",
    fix: "Emit a flat list, or only the upper levels.",
  },
  EmitLimitError: {
    meaning: "One run exceeded the limit of emitted events or stored data.",
    cause: "A first run over a long history, or an endless loop.",
    fix: "Process a limited number per run and keep a cursor in $.service.db.",
  },
  ExportSerializationError: {
    meaning: "An export of a workflow step cannot be serialized as JSON.",
    cause: "A BigInt, a function or a circular reference.",
    fix: "Export plain data: the members that later steps need.",
  },
  ResultTooLargeError: {
    meaning: "The result of a step or function exceeds the size limit.",
    cause: "A whole file or response as a result.",
    fix: "Return only what is used later.",
  },
  ResultTooDeepError: {
    meaning: "The result of a step or function exceeds the nesting limit.",
    cause: "A tree or a linked list.",
    fix: "Return a flat list.",
  },
  DbKeyTooLongError: {
    meaning: "A key for $.service.db is too long.",
    cause: "A URL or a long text as the key.",
    fix: "Use a short id or a hash as the key.",
  },
  DbValueTooLargeError: {
    meaning: "A value for $.service.db is too large.",
    cause: "The db is for cursors and small state, not for whole responses.",
    fix: "Store ids or a hash instead, or split the value over several keys.",
  },
  DbTooLargeError: {
    meaning: "The db of a source would exceed its size limit.",
    cause: "Each run adds entries, and nothing removes them.",
    fix: "Delete old entries: this.db.delete(key).",
  },
  DataStoreKeyTooLongError: {
    meaning: "A key for a data store is too long.",
    cause: "A URL or a long text as the key.",
    fix: "Use a short id or a hash as the key.",
  },
  DataStoreValueTooLargeError: {
    meaning: "A value for a data store is too large.",
    cause: "A data store is for small state that sources share, not for whole responses.",
    fix: "Store ids or a hash instead, or split the value over several keys.",
  },
  DataStoreTooLargeError: {
    meaning: "A data store would exceed its size limit, or a run emits and stores more than it may.",
    cause: "Each run adds entries, and nothing removes them.",
    fix: "Delete old entries: await this.store.delete(key). Use several data stores for values of different kinds.",
  },
  FetchLimitError: {
    meaning: "A run has too many concurrent requests, or they hold too many bytes.",
    cause: "Promise.all over a long list.",
    fix: "Await requests in groups of about ten.",
  },
  TimerLimitError: {
    meaning: "A run has too many pending timers.",
    cause: "A new timer in each iteration of a loop.",
    fix: "Await one timer before the next.",
  },
  dedupe_window_exceeded: {
    meaning:
      "One run emitted more distinct ids than the dedupe cache holds: the oldest will be emitted again next time.",
    cause:
      'dedupe: "unique" remembers the last 100 ids; a poll that always gets more emits all of them again each time.',
    fix: 'Request only what is newer than a cursor in $.service.db, or use dedupe: "greatest".',
  },
  usage: {
    meaning: "The command line of x is wrong.",
    cause: "An unknown command or flag, or a missing or extra argument.",
    fix: "x COMMAND --help shows the arguments, with examples.",
  },
  environment: {
    meaning: "A problem outside of x and of the component.",
    cause: "A port in use, a folder without permissions, or no service at the URL.",
    fix: "See the message. x serve starts a service; --to or X_URL select another one.",
  },
};
