import { XError } from "../errors.ts";

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
