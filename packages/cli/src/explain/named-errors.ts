import type { ErrorRow } from "@x/runtime/errors";

/** What is known about a code or rule. */
export type Explanation = Pick<ErrorRow, "meaning" | "cause" | "fix">;

/** Names that appear in logs and in `$errors` records (as `code` there), and what x itself says with --json. */
export const namedErrors: { readonly [name: string]: Explanation } = {
  TimeoutError: {
    meaning: "The run took longer than it may (sandbox_timeout), or an AbortSignal.timeout() of the component fired.",
    cause: "An endless loop, a request that hangs, or more work than fits into one run.",
    fix: "Do less per run and keep a cursor in $.service.db, or allow more with --run-timeout.",
  },
  MemoryError: {
    meaning: "The run needed more memory than it may (sandbox_out_of_memory).",
    cause: "A list or text that grows without bounds, or a large download that is held at once.",
    fix: "Read page by page and emit as you go, or allow more with --memory.",
  },
  DedupeIdRequiredError: {
    meaning: "this.$emit() was called without a usable id, and the component declares dedupe.",
    cause:
      "Without an id nobody can tell whether the event was emitted before; other platforms drop it silently. NaN, Infinity, null and an empty text are no ids: every later event would look like the first (Date.parse(undefined) is NaN).",
    fix: "Give each event what makes it the same: this.$emit(event, { id: event.id }). Or leave dedupe out.",
  },
  DedupeIdNotNumericError: {
    meaning: 'The id of an event is no number, and the component declares dedupe: "greatest".',
    cause: "greatest compares ids as numbers: ids that grow, or times.",
    fix: 'Give a number or digits as the id, or use dedupe: "unique".',
  },
  EmitNameError: {
    meaning: "An event was emitted under a name that no channel can have.",
    cause:
      "$errors and $logs are streams of the runtime, names that begin with $ are kept for such streams, and a name has at most 256 bytes.",
    fix: "Choose another name, or leave name out for the default stream.",
  },
  EmitSerializationError: {
    meaning: "An event cannot be written as JSON.",
    cause:
      "A BigInt, an object that refers back to itself, or a function in place of an event; the message names the place.",
    fix: "Convert it before: String(value) for a BigInt, and only the members that you need of an object.",
  },
  EmitTooLargeError: {
    meaning: "One event is larger than an event may be.",
    cause: "A whole file or answer in an event.",
    fix: "Emit a link or the needed members only.",
  },
  EmitTooDeepError: {
    meaning: "One event is nested deeper than an event may be.",
    cause: "A tree or a linked list as it is in memory.",
    fix: "Emit a flat list, or only the upper levels.",
  },
  EmitLimitError: {
    meaning: "One run emitted or stored more than a run may.",
    cause: "A first run over a long history, or a loop without an end.",
    fix: "Take so many per run and keep a cursor in $.service.db.",
  },
  ExportSerializationError: {
    meaning: "What a workflow step exports cannot be written as JSON.",
    cause: "A BigInt, a function, or an object that refers back to itself.",
    fix: "Export plain data: the members that later steps need.",
  },
  ResultTooLargeError: {
    meaning: "A step or function returned more than it may.",
    cause: "A whole file or answer as a result.",
    fix: "Return only what is used afterwards.",
  },
  ResultTooDeepError: {
    meaning: "A step or function returned something nested deeper than it may be.",
    cause: "A tree or a linked list as it is in memory.",
    fix: "Return a flat list.",
  },
  DbKeyTooLongError: {
    meaning: "A key for $.service.db is too long.",
    cause: "A URL or a text as the key.",
    fix: "Use a short id or a hash as the key.",
  },
  DbValueTooLargeError: {
    meaning: "A value for $.service.db is too large.",
    cause: "The db is for cursors and small state, not for whole answers.",
    fix: "Store ids or a hash instead, or spread the values over several keys.",
  },
  DbTooLargeError: {
    meaning: "The db of a source would become larger than it may be.",
    cause: "Something is added at each run and never removed.",
    fix: "Remove what is no longer needed: this.db.delete(key).",
  },
  FetchLimitError: {
    meaning: "A run has too many requests under way, or they hold too many bytes.",
    cause: "Promise.all over a long list.",
    fix: "Await requests in groups of ten or so.",
  },
  TimerLimitError: {
    meaning: "A run has too many timers under way.",
    cause: "A new timer in each round of a loop.",
    fix: "Await one timer before the next.",
  },
  dedupe_window_exceeded: {
    meaning: "One run emitted more distinct ids than are remembered: the oldest will be emitted again next time.",
    cause:
      'dedupe: "unique" remembers the last 100 ids; a poll that always sees more emits all of them again, each time.',
    fix: 'Ask the app only for what is newer than a cursor in $.service.db, or use dedupe: "greatest".',
  },
  usage: {
    meaning: "The command line of x cannot be understood.",
    cause: "An unknown command or flag, or an operand too few or too many.",
    fix: "x COMMAND --help shows what it takes, with examples.",
  },
  environment: {
    meaning: "Something outside of x and of the component is in the way.",
    cause: "A port in use, a folder without rights, or no service at the URL.",
    fix: "The message says what. A service is started with x serve; --url and X_URL name another one.",
  },
};
