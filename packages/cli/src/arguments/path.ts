import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { findNearest } from "./nearest.ts";
import { UsageError } from "../errors.ts";

/** What is at a path; undefined when nothing is, or nothing that may be seen. */
function look(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A file of the same folder whose name is nearly this one. */
function findNeighbour(file: string): string | undefined {
  const folder = dirname(file);
  if (!look(folder)?.isDirectory()) return undefined;
  const entries = readdirSync(folder, { withFileTypes: true });
  const nearest = findNearest(
    basename(file),
    entries.filter((entry) => entry.isFile()).map(({ name }) => name),
  );
  return nearest === undefined ? undefined : join(folder, nearest);
}

/** Throws `UsageError` for a FILE that is none, with the one that may be meant. */
export function checkFile(file: string): void {
  const found = look(file);
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder; give the file of a component`);
  if (found) return;
  const nearest = findNeighbour(file);
  throw new UsageError(`There is no file ${file}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
}

/** Has a service or a command kept anything in the folder yet? */
export const hasData = (folder: string): boolean => existsSync(join(folder, "x.db"));
