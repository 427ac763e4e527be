import type { ErrorBody } from "./rest/envelope.ts";

/** A request that failed. */
export class RestError extends Error {
  override readonly name = "RestError";
  /** The status of the answer; 0 when there was none. */
  readonly status: number;
  /**
   * The code of the service, such as `not_found`; `unreachable` when there was no answer, and `unexpected_answer` when the
   * answer is not one of x.
   */
  readonly code: string;
  /** `errors` lists every problem of the request. */
  readonly details: ErrorBody["details"] & { readonly [name: string]: unknown };
  /** Of 429: how long to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    {
      error,
      code,
      details = {},
    }: { readonly error: string; readonly code: string; readonly details?: RestError["details"] },
    { cause, retryAfterSeconds }: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {},
  ) {
    super(error, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === "object" && value !== null && "code" in value && typeof value.code === "string" && "error" in value;

/** The answer is none of x: a proxy's, or that of another program. */
export const unexpectedAnswer = (status: number): RestError =>
  new RestError(status, { error: `The answer (${status}) is not one of x`, code: "unexpected_answer" });

/** The error of an answer that is not 2xx. */
export async function readError(response: Response): Promise<RestError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (!isErrorBody(body)) return unexpectedAnswer(status);
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new RestError(status, body, Number.isFinite(wait) ? { retryAfterSeconds: wait } : {});
}
