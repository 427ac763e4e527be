import type { ErrorCode, ErrorDetails, XError } from "@x/runtime";

/** The command line is wrong: one line for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A problem outside of x and of the component, such as a port in use: exit code 4. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

// The runtime's own symbol: commands that only send requests to a service need not load the runtime.
const brand = Symbol.for("@x/runtime/error");

/** True for errors with a code: of a runtime in this process, or in the response of a service. */
export const isCodedError = (value: unknown): value is XError =>
  typeof value === "object" && value !== null && brand in value;

/** An error that a service responded with; handled like an error of a runtime in this process. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(body: { readonly error: string; readonly code: ErrorCode; readonly details: ErrorDetails }) {
    super(body.error);
    this.code = body.code;
    this.details = body.details;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
