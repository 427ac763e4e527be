/** The error of Node's own functions when a signal ends them. */
export function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true, writable: true });
  return Object.assign(error, { code: "ABORT_ERR" });
}
