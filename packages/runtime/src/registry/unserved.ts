import { XError } from "../model/errors.ts";
import type { RegistryProblem } from "./verdict.ts";

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
