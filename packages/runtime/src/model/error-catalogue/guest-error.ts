import type { GuestError } from "../model.ts";
import { type ErrorArguments, type ErrorCode, errorText, findErrorRow } from "./catalogue.ts";

/** A failure of a run or hook that the runtime found, as the data that records and answers have. It has no stack of its own. */
export function guestError<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): GuestError {
  return withMessage(code, errorText(code, ...args));
}

/** For the record of what no code threw: its message stands where others have a stack. */
export const recordedError = (code: ErrorCode, message: string): GuestError => ({
  ...withMessage(code, message),
  stack: message,
});

/** The same as `guestError` with a message that was made elsewhere. */
export function withMessage(code: ErrorCode, message: string): GuestError {
  const name = findErrorRow(code)?.errorName;
  return { code, name: name ?? code, message, stack: name === undefined ? "" : `${name}: ${message}` };
}
