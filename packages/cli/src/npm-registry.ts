import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { environment, npmEnvironment } from "./environment.ts";

/** `npm config get registry` takes about 200 ms. */
const npmTimeoutMs = 10_000;

const asUrl = (text: string): string | undefined => (/^https?:\/\/\S+$/.test(text) ? text : undefined);

/** The npm registry that npm is configured with (npmrc included); undefined when npm is not installed or names none. */
export async function findNpmRegistry(signal?: AbortSignal): Promise<string | undefined> {
  if (environment.npmRegistry !== undefined) return asUrl(environment.npmRegistry);
  const options = { timeout: npmTimeoutMs, env: npmEnvironment(), ...(signal && { signal }) };
  try {
    return asUrl((await promisify(execFile)("npm", ["config", "get", "registry"], options)).stdout.trim());
  } catch {
    return undefined;
  }
}
