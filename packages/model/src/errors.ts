import { pointer } from "./json-pointer.ts";
import { type ErrorArguments, type ErrorCode, errorCatalogue, errorText } from "./error-catalogue/catalogue.ts";

export type { ErrorCode };

const brand = Symbol.for("@x/runtime/error");

const storeFailures: readonly ErrorCode[] = [
  "store_failed",
  "store_unavailable",
  "store_corrupt",
  "store_locked",
  "store_version",
];

/** True for failures of the store, which may be temporary. */
export const isStoreFailure = (code: string): boolean => (storeFailures as readonly string[]).includes(code);

/** How many names of one kind that there are not are listed, each as a problem; the others are counted in one. */
export const listedNames = 1_000;

/** One problem in the input of a caller. `path` is a JSON pointer. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** Every problem, not only the first. */
  readonly errors?: readonly Problem[];
  readonly [detail: string]: unknown;
}

/** The JSON pointer of a parameter; names of members are joined by dots. */
const pointerOf = (parameter: string): string => pointer(...parameter.split("."));

/** Completes the details of an error: a 400 lists its problems, where nobody has listed them its only one. */
function completeDetails(
  code: ErrorCode,
  message: string,
  [name, expected]: readonly string[],
  given: ErrorDetails,
): ErrorDetails {
  if (code === "missing_parameter" || code === "invalid_parameter" || code === "invalid_options") {
    const parameter = name ?? "";
    const problem = code === "missing_parameter" ? "is missing" : `must be ${expected ?? ""}`;
    return { parameter, errors: [{ path: pointerOf(parameter), message: problem }], ...given };
  }
  if (errorCatalogue[code].status !== 400) return given;
  const { parameter } = given;
  return { errors: [{ path: typeof parameter === "string" ? pointerOf(parameter) : "", message }], ...given };
}

/** The only error class that the runtime throws to callers. Compare `code`, never the text. */
export class XError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails;

  constructor(code: C, args: ErrorArguments<C>, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(errorText(code, ...args), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = `XError [${code}]`;
    this.code = code;
    this.details = completeDetails(code, this.message, args, options.details ?? {});
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for errors of any installed copy of the runtime. */
  static is(value: unknown): value is XError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
