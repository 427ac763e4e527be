import type { ErrorCode, ErrorDetails, XError } from "@x/runtime";

/** The command line cannot be understood: one line for the person who wrote it, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something outside of x and of the component is not as it must be: exit code 4. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

// The same symbol as in the runtime, which a command that only asks a service need not load.
const brand = Symbol.for("@x/runtime/error");

/** True for errors with a code: of a runtime in this process, or as a service told them. */
export const isToldError = (value: unknown): value is XError =>
  typeof value === "object" && value !== null && brand in value;

/** An error of the runtime behind a service, as the service told it; told further like one of a runtime in this process. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(body: { readonly error: string; readonly code: ErrorCode; readonly details: ErrorDetails }) {
    super(body.error);
    this.code = body.code;
    this.details = body.details;
    Object.defineProperty(this, brand, { value: true });
  }
}
