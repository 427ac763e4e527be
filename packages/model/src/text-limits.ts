import type { GuestError } from "./model.ts";

/**
 * Most characters of the texts of a component's error. Applied when the error leaves the sandbox, whatever the guest's own
 * code did, and again after source locations and explanations were added.
 */
export const maxChars: {
  readonly [text in "errorName" | "errorMessage" | "errorStack" | "errorHint" | "origin"]: number;
} = {
  errorName: 256,
  errorMessage: 16 * 1024,
  errorStack: 64 * 1024,
  errorHint: 1024,
  origin: 40_000,
};

/** What is wrong with a text of more characters than that, for messages: "longer than 4,000 characters". */
export const longerThan = (most: number): string => `longer than ${most.toLocaleString("en-US")} characters`;

/** The same of a value that may be no text; undefined for what is no text or not that long. */
export const tooLong = (value: unknown, most: number): string | undefined =>
  typeof value === "string" && value.length > most ? longerThan(most) : undefined;

/** Cuts a text to `most` characters and appends `…`. Never splits a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`;
}

/** Cuts the texts of an error to their limits. */
export const cutError = <Thrown extends Omit<GuestError, "code">>(error: Thrown): Thrown => ({
  ...error,
  name: cutText(error.name, maxChars.errorName),
  message: cutText(error.message, maxChars.errorMessage),
  stack: cutText(error.stack, maxChars.errorStack),
  ...(error.hint !== undefined && { hint: cutText(error.hint, maxChars.errorHint) }),
});
