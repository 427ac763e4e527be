import { XError } from "../model/errors.ts";
import { isNoComponent } from "../model/module-kind.ts";

/** Why a file of the registry is not served as it is. */
export interface RegistryProblem {
  readonly code: string;
  readonly message: string;
}

/** True when a module was read and is something else than a component. */
export function exportsNoComponent(error: unknown): boolean {
  if (!XError.is(error) || error.code !== "invalid_component" || "reason" in error.details) return false;
  return isNoComponent(error.details.errors ?? []);
}

/** True when packages could not be had: the npm registry may have them, or be reached, at another time. */
export const mayPass = (error: unknown): boolean =>
  XError.is(error) &&
  error.code === "package_unresolved" &&
  ["offline", "unresolved"].includes(String(error.details["reason"]));

const shortages = ["timeout", "out_of_cpu_time", "out_of_memory", "died", "sandbox_timeout", "sandbox_out_of_memory"];

/** True when time or memory did not suffice: a process with nothing else to do may manage. */
export const ranShort = (error: unknown): boolean =>
  XError.is(error) &&
  ["bundle_failed", "invalid_component"].includes(error.code) &&
  shortages.includes(String(error.details["reason"]));

/** The runtime is closing: nothing is known about the file. */
export const isClosing = (error: unknown): boolean => XError.is(error) && error.code === "closed";

/** A failure in one line with its code. */
export function registryProblem(error: unknown): RegistryProblem {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  if (XError.is(error)) return { code: error.code, message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return { code, message };
}

/** A component that cannot be served, by the key that it seems to have. */
export interface Unserved {
  readonly key: string;
  readonly error: XError;
}

/** Undefined for other failures, and without a key: nobody can be told then. */
export async function findUnserved(
  error: unknown,
  seemingKey: () => Promise<string | undefined>,
): Promise<Unserved | undefined> {
  if (!XError.is(error) || !error.code.startsWith("package_")) return undefined;
  const key = await seemingKey();
  return key === undefined ? undefined : { key, error };
}

/** What is said of the key of a file that is refused for what it is. */
export function refusedAs(key: string, file: string, problem: RegistryProblem): Unserved {
  const { code, message } = problem;
  const why = `its file ${file} is refused (${code}: ${message.replace(/\.$/, "")})`;
  const error = new XError("not_found", ["component", key, why], { details: { reason: "refused", file, problem } });
  return { key, error };
}
