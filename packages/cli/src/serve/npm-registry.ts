import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { environment } from "../environment.ts";

const asUrl = (text: string): string | undefined => (/^https?:\/\/\S+$/.test(text) ? text : undefined);

/** The npm registry that this user has configured; undefined when there is no npm to ask. */
export async function findNpmRegistry(signal: AbortSignal): Promise<string | undefined> {
  if (environment.npmRegistry !== undefined) return asUrl(environment.npmRegistry);
  try {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], { timeout: 10_000, signal });
    return asUrl(stdout.trim());
  } catch {
    return undefined;
  }
}
