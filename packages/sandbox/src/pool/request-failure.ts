import type { RequestFailure } from "../contract.ts";

const deepestCause = 5;

type Coded = Error & { readonly code: string; readonly [field: string]: unknown };

/** Fields of Node's system errors that HTTP clients read. */
const systemFields = ["errno", "syscall", "hostname", "address", "port"] as const;

function* causesOf(error: unknown): Iterable<Error> {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < deepestCause; depth++) {
    yield cause;
    // A host with several addresses fails once for each.
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
}

const hasCode = (error: Error): error is Coded => "code" in error && typeof error.code === "string";

/** Whether the code is of the system (`ECONNREFUSED`), of OpenSSL or of the HTTP client; the runtime's are in lower case. */
const isForeign = (error: Coded): boolean => /^[A-Z][A-Z0-9_]+$/.test(error.code);

/**
 * Describes to the component why a request failed: with the message and fields of Node's system error if there is one,
 * because packages look for them; else with the runtime's.
 */
export function requestFailure(error: unknown): RequestFailure {
  const coded = [...causesOf(error)].filter(hasCode);
  const found = coded.find(isForeign) ?? coded[0];
  const message = error instanceof Error ? error.message : String(error);
  if (!found) return { message, code: "network_failed" };
  if (!isForeign(found)) return { message, code: found.code };
  const fields = systemFields.filter((name) => ["string", "number"].includes(typeof found[name]));
  return {
    ...Object.fromEntries(fields.map((name) => [name, found[name]])),
    message: found.message === "" ? message : found.message,
    code: found.code,
  };
}
