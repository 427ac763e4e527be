import { XError, isNoComponent } from "@x/model";

/** Why the current version of a file of the registry is not served. */
export interface RegistryProblem {
  readonly code: string;
  readonly message: string;
}

/** True when a module was read and is not a component. */
export function exportsNoComponent(error: unknown): boolean {
  if (!XError.is(error) || error.code !== "invalid_component" || "reason" in error.details) return false;
  return isNoComponent(error.details.errors ?? []);
}

/** True when packages could not be installed because of the npm registry: a later attempt may succeed. */
export const isTransient = (error: unknown): boolean =>
  XError.is(error) &&
  error.code === "package_unresolved" &&
  ["offline", "timeout", "unresolved"].includes(String(error.details["reason"]));

const exhausted = ["timeout", "out_of_cpu_time", "out_of_memory", "died", "sandbox_timeout", "sandbox_out_of_memory"];

/** True when time or memory ran out: a fresh process may succeed. */
export const ranOut = (error: unknown): boolean =>
  XError.is(error) &&
  ["bundle_failed", "invalid_component", "package_failed"].includes(error.code) &&
  exhausted.includes(String(error.details["reason"]));

/** True when the runtime is closing: the error says nothing about the file. */
export const isClosing = (error: unknown): boolean => XError.is(error) && error.code === "closed";

/** The first line of an error, with its code. */
export function registryProblem(error: unknown): RegistryProblem {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  if (XError.is(error)) return { code: error.code, message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return { code, message };
}

/** Why a component cannot be served, with the key that its code seems to declare. */
export interface KeyFailure {
  readonly key: string;
  readonly error: XError;
}

/** The failure of a component whose packages cannot be installed; undefined for other errors. */
export const packageFailure = (error: unknown, key: string): KeyFailure | undefined =>
  XError.is(error) && error.code.startsWith("package_") ? { key, error } : undefined;

/** The failure of a file that is not a valid component. */
export function refusal(key: string, file: string, problem: RegistryProblem): KeyFailure {
  const { code, message } = problem;
  const why = `its file ${file} is refused (${code}: ${message.replace(/\.$/, "")})`;
  const error = new XError("not_found", ["component", key, why], { details: { reason: "refused", file, problem } });
  return { key, error };
}
