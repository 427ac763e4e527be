const coded = (message: string, code: string, cause: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

export const connectionClosed = (cause?: unknown): Error => coded("other side closed", "UND_ERR_SOCKET", cause);

/**
 * The error that `fetch` of Node gives as its cause, for an error of Node's `http`: components and their libraries know the
 * codes.
 */
export function asFetchError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === "ECONNRESET" && (message === "aborted" || message === "socket hang up")) return connectionClosed(error);
  if (code === "HPE_HEADER_OVERFLOW") return coded("Headers Overflow Error", "UND_ERR_HEADERS_OVERFLOW", error);
  return error;
}

/** The error of a connection that is not open after `ms`. */
export const connectTimedOut = (ms: number): Error =>
  coded(`Connect Timeout Error (no connection within ${ms} ms)`, "UND_ERR_CONNECT_TIMEOUT", undefined);
