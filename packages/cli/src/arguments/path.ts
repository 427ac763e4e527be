import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { findNearest } from "./nearest.ts";
import { UsageError } from "../errors.ts";

/** The file or folder at a path; undefined when it does not exist or is not readable. */
function findStats(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A file in the same folder with a similar name. */
function findNeighbour(file: string): string | undefined {
  const folder = dirname(file);
  if (!findStats(folder)?.isDirectory()) return undefined;
  const entries = readdirSync(folder, { withFileTypes: true });
  const nearest = findNearest(
    basename(file),
    entries.filter((entry) => entry.isFile()).map(({ name }) => name),
  );
  return nearest === undefined ? undefined : join(folder, nearest);
}

/** Throws `UsageError` for a path that is not a file, with a similar name as a hint. */
export function checkFile(file: string): void {
  const found = findStats(file);
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder; give the file of a component`);
  if (found) return;
  const nearest = findNeighbour(file);
  throw new UsageError(`There is no file ${file}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
}

/** Whether the folder has the data of a service. */
export const hasData = (folder: string): boolean => existsSync(join(folder, "x.db"));
