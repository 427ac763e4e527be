import { XError } from "@x/model";

/** A failure as plain data, which can cross threads. */
export interface Failure {
  readonly code: "store_failed" | "store_corrupt" | "store_version";
  readonly args: readonly string[];
}

/** SQLite's primary result codes that have their own message. */
const engineCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  input: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** Returns SQLite's primary result code; undefined for other errors. */
function engineCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** True when another process locks the file: an immediate retry would wait again. */
export function isBusy(error: unknown): boolean {
  const code = engineCode(error);
  return code === engineCodes.busy || code === engineCodes.locked;
}

const advice: { readonly [code: number]: string } = {
  [engineCodes.busy]: "another process holds it locked; close that process and try again",
  [engineCodes.locked]: "another process holds it locked; close that process and try again",
  [engineCodes.readOnly]: "it is read-only; allow this user to write the file and its folder",
  [engineCodes.input]: "reading or writing it failed; check the disk",
  [engineCodes.full]: "the disk is full; free some space and try again",
  [engineCodes.cannotOpen]: "it cannot be opened; it must be a file that this user may read and write",
};

const damaged = "restore it from a backup, or move it away to start anew";

/** The failure of a damaged data file. */
export const corruptFailure = (file: string, problem: string): Failure => ({
  code: "store_corrupt",
  args: [file, `${problem}; ${damaged}`],
});

/** Describes what failed on which file, with advice. */
export function failureOf(file: string, action: string, error: unknown): Failure {
  if (error instanceof StoreFailure) return error.failure;
  const text = error instanceof Error ? error.message : String(error);
  const code = engineCode(error);
  if (code === engineCodes.corrupt || code === engineCodes.notADatabase || error instanceof SyntaxError) {
    return corruptFailure(file, text);
  }
  const hint = code === undefined ? undefined : advice[code];
  return { code: "store_failed", args: [action, hint ? `${text} (${file}: ${hint})` : `${text} (${file})`] };
}

/** A failure as a thrown error. */
export class StoreFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.args.join(": "));
    this.failure = failure;
  }
}

/** Makes the error that the store rejects with. */
export function failureError(failure: Failure, cause?: unknown): XError {
  const [first = "", second = "", third = ""] = failure.args;
  const options = cause === undefined ? {} : { cause };
  return failure.code === "store_version"
    ? new XError("store_version", [first, second, third], options)
    : new XError(failure.code, [first, second], options);
}

/** Wraps an error of the database. */
export const storeError = (file: string, action: string, error: unknown): XError =>
  XError.is(error) ? error : failureError(failureOf(file, action, error), error);
