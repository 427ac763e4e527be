import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { EnvironmentError, UsageError } from "../given/usage-error.ts";

/** Writes files into a folder, which it makes; all of them or, unless it may replace what is there, none. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>, mayReplace: boolean): void {
  const known = [...files.keys()].filter((name) => existsSync(join(folder, name)));
  if (known.length > 0 && !mayReplace)
    throw new UsageError(
      `${folder === "." ? "This folder" : folder} has ${known.join(", ")} already; nothing was written. --force replaces them`,
    );
  try {
    mkdirSync(folder, { recursive: true });
    // A file that has come since then is not replaced either.
    for (const [name, text] of files) writeFileSync(join(folder, name), text, { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    throw new EnvironmentError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
