import { callerErrors } from "./caller-errors.ts";
import { componentErrors } from "./component-errors.ts";
import type { ErrorRow } from "./error-row.ts";
import { systemErrors } from "./system-errors.ts";

export type { ErrorRow };

type Rows = typeof callerErrors & typeof componentErrors & typeof systemErrors;

/** Every error of the runtime by its code. The code is the contract; the texts may improve. */
export const errorCatalogue: Rows = { ...callerErrors, ...componentErrors, ...systemErrors };

export type ErrorCode = keyof Rows;

/** What the message of an error is made of. */
export type ErrorArguments<C extends ErrorCode> = Parameters<Rows[C]["text"]>;

/** Undefined for a code that is not the runtime's. */
export const findErrorRow = (code: string): ErrorRow | undefined =>
  Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode] : undefined;

/** The message of an error. */
export function errorText<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): string {
  const text: (...values: string[]) => string = errorCatalogue[code].text;
  return text(...args);
}
