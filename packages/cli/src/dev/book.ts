import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { EnvironmentError } from "../usage-error.ts";

/** Which source a file has, kept in the data folder: ids, dbs and endpoints stay the same from one start to the next. */
export interface Book {
  sourceOf(file: string): string | undefined;
  /** Durable when it returns. */
  enter(file: string, sourceId: string): void;
  /** Every file with its source. */
  entries(): readonly { readonly file: string; readonly sourceId: string }[];
}

const bookName = "dev.json";

function readSources(path: string): Map<string, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  try {
    const { sources } = JSON.parse(text) as { readonly sources: { readonly [file: string]: string } };
    return new Map(Object.entries(sources));
  } catch {
    throw new EnvironmentError(`${path} is damaged; remove it, and the files get new sources`);
  }
}

/** Files are kept relative to the folder, so that a project may be moved with its data. */
export function openBook(folder: string): Book {
  const path = join(folder, bookName);
  const sources = readSources(path);
  const nameOf = (file: string): string => relative(resolve(folder), file);
  return {
    sourceOf: (file) => sources.get(nameOf(file)),
    enter(file, sourceId) {
      sources.set(nameOf(file), sourceId);
      writeFileSync(`${path}.new`, `${JSON.stringify({ sources: Object.fromEntries(sources) }, null, 2)}\n`);
      renameSync(`${path}.new`, path);
    },
    entries: () => [...sources].map(([name, sourceId]) => ({ file: resolve(folder, name), sourceId })),
  };
}
