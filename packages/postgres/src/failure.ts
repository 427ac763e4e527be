import { XError } from "@x/runtime";

/** The fields of an error of the server or of a socket. */
interface ErrorFields {
  /** SQLSTATE, or the code of the system. */
  readonly code: string | undefined;
  /** Only of errors of the server. */
  readonly severity: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
}

function fieldsOf(error: unknown): ErrorFields {
  const given = Object(error) as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => (typeof given[name] === "string" ? given[name] : undefined);
  return { code: text("code"), severity: text("severity"), constraint: text("constraint"), detail: text("detail") };
}

/** SQLSTATEs of our own, raised by the function `refuse`. That of a refused commit, XR001, needs no answer of its own. */
const ownStates = { fenced: "XF001" } as const;

/** True when another service has taken the schema over. */
export const isFenced = (error: unknown): boolean => fieldsOf(error).code === ownStates.fenced;

/** Connection failures, shutdowns and starts of the server, and a server that became a standby. */
const lostStates = /^(?:08|57P|25006)/;

/** True when the connection is gone or of no use: the server did not refuse the statement itself. */
export function isLost(error: unknown): boolean {
  if (XError.is(error)) return false;
  const { code, severity } = fieldsOf(error);
  if (severity === undefined) return true;
  return severity === "FATAL" || severity === "PANIC" || lostStates.test(code ?? "");
}

/** True when the server ended a transaction because it and another one waited for each other: it may be repeated. */
export const isDeadlock = (error: unknown): boolean => fieldsOf(error).code === "40P01";

/** The error for callers while there is no connection. Names no host. */
export const unavailable = (cause: unknown): XError =>
  new XError("store_unavailable", [fieldsOf(cause).code ?? "connection lost"], { cause });

/** Two nodes have given out one slug at once; see `schema.ts`. */
const slugIndex = "source_slug";

/** The slug of a message such as "Key (user_id, name_slug)=(u_1, feed) already exists." */
const slugOf = (error: unknown): string => /, ([^,)]*)\) already/.exec(fieldsOf(error).detail ?? "")?.[1] ?? "";

/** The error for callers of a node that another one has declared dead: they may try again. */
export const takenOver = (cause: unknown): XError =>
  new XError("store_unavailable", ["another node has taken over"], { cause });

/** Wraps an error of the database. */
export function storeError(action: string, error: unknown): XError {
  if (XError.is(error)) return error;
  if (isLost(error)) return unavailable(error);
  if (fieldsOf(error).constraint === slugIndex) return new XError("busy", [slugOf(error)], { cause: error });
  return new XError("store_failed", [action, error instanceof Error ? error.message : String(error)], { cause: error });
}
