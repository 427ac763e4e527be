/** Node's text for an argument of the wrong type. */
export function received(value: unknown): string {
  if (value === undefined || value === null) return `Received ${value}`;
  if (typeof value === "function") return `Received function ${value.name}`;
  if (typeof value === "object") {
    const name = (value as { constructor?: { name?: string } }).constructor?.name;
    return name ? `Received an instance of ${name}` : "Received [Object: null prototype] {}";
  }
  const shown = typeof value === "string" ? `'${value}'` : typeof value === "bigint" ? `${value}n` : String(value);
  return `Received type ${typeof value} (${shown.length > 28 ? `${shown.slice(0, 25)}...` : shown})`;
}

export const withCode = <E extends Error>(error: E, code: string): E => Object.assign(error, { code });

export const typeError = (code: string, message: string): TypeError => withCode(new TypeError(message), code);

/** As `wrongType`, with the type alone of what was received: for modules that should stay small. */
export const argumentError = (name: string, wanted: string, value: unknown): TypeError =>
  typeError(
    "ERR_INVALID_ARG_TYPE",
    `The "${name}" argument must be ${wanted}. Received ${value === null ? "null" : typeof value}`,
  );

/** `wanted` is Node's text, such as `of type string`. */
export const wrongType = (name: string, wanted: string, value: unknown): TypeError =>
  withCode(
    new TypeError(
      `The "${name}" ${name.includes(".") ? "property" : "argument"} must be ${wanted}. ${received(value)}`,
    ),
    "ERR_INVALID_ARG_TYPE",
  );

export const outOfRange = (name: string, range: string, value: unknown): RangeError =>
  withCode(
    new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${grouped(value)}`),
    "ERR_OUT_OF_RANGE",
  );

/** Node groups the digits of large integers. */
function grouped(value: unknown): string {
  if (typeof value !== "number" || !Number.isInteger(value) || Math.abs(value) <= 2 ** 32) return String(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, "_");
}

export function checkString(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw wrongType(name, "of type string", value);
}

export function checkFunction(name: string, value: unknown): asserts value is (...args: unknown[]) => void {
  if (typeof value !== "function") throw wrongType(name, "of type function", value);
}

/** Throws unless a value is a duration in ms, as for timeouts of sockets. */
export function checkDuration(name: string, value: unknown): asserts value is number {
  if (typeof value !== "number") throw wrongType(name, "of type number", value);
  if (!(value >= 0 && Number.isFinite(value))) throw outOfRange(name, "a non-negative finite number", value);
}

export function checkInteger(name: string, value: unknown, least: number, most: number): asserts value is number {
  if (typeof value !== "number") throw wrongType(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < least || value > most) throw outOfRange(name, `>= ${least} && <= ${most}`, value);
}

/** The error of Node's own functions when a signal aborts them. */
export function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true, writable: true });
  return Object.assign(error, { code: "ABORT_ERR" });
}
