import type { GuestError } from "./model.ts";

/**
 * Most characters of what a component says of a failure. They hold where it crosses the wall, whatever the guest's own code
 * cuts, and once more for what is made of it: places in files and explanations make texts longer.
 */
export const mostChars: {
  readonly [text in "errorName" | "errorMessage" | "errorStack" | "errorHint" | "origin"]: number;
} = {
  errorName: 256,
  errorMessage: 16 * 1024,
  errorStack: 64 * 1024,
  errorHint: 1024,
  origin: 40_000,
};

/** A text of at most `most` characters and a mark that some are missing; no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`;
}

/** An error whose texts are within their limits. */
export const cutError = <Thrown extends Omit<GuestError, "code">>(error: Thrown): Thrown => ({
  ...error,
  name: cutText(error.name, mostChars.errorName),
  message: cutText(error.message, mostChars.errorMessage),
  stack: cutText(error.stack, mostChars.errorStack),
  ...(error.hint !== undefined && { hint: cutText(error.hint, mostChars.errorHint) }),
});
