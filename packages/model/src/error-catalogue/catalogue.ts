import { callerErrors } from "./caller-errors.ts";
import { componentErrors } from "./component-errors.ts";
import { systemErrors } from "./system-errors.ts";

/** Who can fix an error. */
export type ErrorAudience = "client" | "author" | "operator";

/** The group of an error in the exit codes of `x`. */
export type ErrorExit = "component" | "usage" | "limit" | "environment";

/** Description of one error code. */
export interface ErrorRow {
  /** Makes the message from the arguments of the error. */
  readonly text: (...args: string[]) => string;
  readonly audience: ErrorAudience;
  /** HTTP status of an answer with this error. */
  readonly status: number;
  readonly exit: ErrorExit;
  /** The `name` of the error that ends a run. Default: the code. */
  readonly errorName?: string;
  /** What happened. */
  readonly meaning: string;
  /** Its usual cause. */
  readonly cause: string;
  /** How to fix it. */
  readonly fix: string;
}

type Rows = typeof callerErrors & typeof componentErrors & typeof systemErrors;

/** Every error of the runtime by its code. Codes are stable; texts may change. */
export const errorCatalogue: Rows = { ...callerErrors, ...componentErrors, ...systemErrors };

export type ErrorCode = keyof Rows;

/** Arguments of the message of an error. */
export type ErrorArguments<C extends ErrorCode> = Parameters<Rows[C]["text"]>;

/** Returns undefined for a code that the runtime does not have. */
export const findErrorRow = (code: string): ErrorRow | undefined =>
  Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode] : undefined;

/** Makes the message of an error. */
export function errorText<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): string {
  const text: (...values: string[]) => string = errorCatalogue[code].text;
  return text(...args);
}
