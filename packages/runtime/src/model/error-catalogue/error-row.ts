/** Who can do something about an error. */
export type ErrorAudience = "client" | "author" | "operator";

/** What the exit code of `x` says about an error. */
export type ErrorExit = "component" | "usage" | "limit" | "environment";

/** Everything that is known about one error code. */
export interface ErrorRow {
  /** The message, made of what the error is about. */
  readonly text: (...args: string[]) => string;
  readonly audience: ErrorAudience;
  /** HTTP status of an answer with this error. */
  readonly status: number;
  readonly exit: ErrorExit;
  /** The `name` of the error where a run ends with it; absent: the code. */
  readonly errorName?: string;
  /** What happened. */
  readonly meaning: string;
  /** What it usually comes from. */
  readonly cause: string;
  /** What to do about it. */
  readonly fix: string;
}
