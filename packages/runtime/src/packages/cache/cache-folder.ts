import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The folder of packages in this user's cache (XDG base directories): what a runtime without a data folder has. */
export function userPackagesFolder(): string {
  const base = process.env["XDG_CACHE_HOME"];
  // A relative path is invalid there, and ignored.
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), ".cache"), "x", "packages");
}

/** Where packages are kept: as it is said, with the data, or in the user's cache. Absolute: a child has a folder of its own. */
export function cacheFolder(given: string | undefined, data: string | undefined): string {
  if (given !== undefined) return resolve(given);
  return data === undefined ? userPackagesFolder() : join(resolve(data), "packages");
}
