import { XError, hasLongHost } from "@x/model";

/** The URL for errors: without credentials and query, which may contain keys. */
export function showUrl(text: string): string {
  if (hasLongHost(text) || !URL.canParse(text)) return JSON.stringify(text.slice(0, 100));
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}

/** Makes the error of a failed request. `details.problem` is the reason without the URL. */
export const networkFailed = (shownUrl: string, problem: string, cause?: unknown): XError<"network_failed"> =>
  new XError("network_failed", [shownUrl, problem], { details: { problem }, cause });

/** Describes an error; for an `AggregateError`, its first error. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors[0]);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const text = error.message === "" ? error.name : error.message;
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

/** Finds an error of the runtime among the causes. */
export function findOwnError(error: unknown): XError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (XError.is(cause)) return cause;
  }
  return undefined;
}
