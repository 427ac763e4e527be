import { isAbsolute, join, resolve } from "node:path";

import { homeFolder } from "../home-folder.ts";

/** The package cache of a runtime without a data folder, in the user's cache folder (XDG base directories). */
export function userPackagesFolder(): string {
  const base = process.env["XDG_CACHE_HOME"];
  // The XDG specification says to ignore relative paths.
  return join(base !== undefined && isAbsolute(base) ? base : join(homeFolder(), ".cache"), "x", "packages");
}

/** The absolute path of the package cache: as given, else in the data folder, else in the user's cache. */
export function cacheFolder(given: string | undefined, data: string | undefined): string {
  if (given !== undefined) return resolve(given);
  return data === undefined ? userPackagesFolder() : join(resolve(data), "packages");
}
