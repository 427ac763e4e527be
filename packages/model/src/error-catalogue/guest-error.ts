import type { GuestError } from "../model.ts";
import { type ErrorArguments, type ErrorCode, errorText, findErrorRow } from "./catalogue.ts";

/** Makes the record of a failure that the runtime found in a run or hook. It has no stack of the component. */
export function guestError<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): GuestError {
  return withMessage(code, errorText(code, ...args));
}

/** Makes the record of a failure outside of any code, with the message as its stack. */
export const recordedError = (code: ErrorCode, message: string): GuestError => ({
  ...withMessage(code, message),
  stack: message,
});

/** The same as `guestError` with the given message. */
export function withMessage(code: ErrorCode, message: string): GuestError {
  const name = findErrorRow(code)?.errorName;
  return { code, name: name ?? code, message, stack: name === undefined ? "" : `${name}: ${message}` };
}
