import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { EnvironmentError } from "../given/usage-error.ts";

/** Which source a file has, kept in the data folder: ids, dbs and endpoints stay the same from one start to the next. */
export interface Book {
  sourceOf(file: string): string | undefined;
  /** The component of a deploy that was begun, and of which nobody knows whether it was done. */
  begunOf(file: string): string | undefined;
  /** Notes that a source of this component is about to be deployed for the file. Durable when it returns. */
  begin(file: string, componentId: string): void;
  /** Durable when it returns. */
  enter(file: string, sourceId: string): void;
  /** Every file with its source. */
  entries(): readonly { readonly file: string; readonly sourceId: string }[];
}

const bookName = "dev.json";

interface Pages {
  readonly sources: Map<string, string>;
  readonly begun: Map<string, string>;
}

function readPages(path: string): Pages {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { sources: new Map(), begun: new Map() };
    throw error;
  }
  try {
    const { sources, begun = {} } = JSON.parse(text) as {
      readonly sources: { readonly [file: string]: string };
      readonly begun?: { readonly [file: string]: string };
    };
    return { sources: new Map(Object.entries(sources)), begun: new Map(Object.entries(begun)) };
  } catch {
    throw new EnvironmentError(`${path} is damaged; remove it, and the files get new sources`);
  }
}

/** Files are kept relative to the folder, so that a project may be moved with its data. */
export function openBook(folder: string): Book {
  const path = join(folder, bookName);
  const { sources, begun } = readPages(path);
  const nameOf = (file: string): string => relative(resolve(folder), file);
  const write = (): void => {
    const pages = { sources: Object.fromEntries(sources), begun: Object.fromEntries(begun) };
    writeFileSync(`${path}.new`, `${JSON.stringify(pages, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  };
  return {
    sourceOf: (file) => sources.get(nameOf(file)),
    begunOf: (file) => begun.get(nameOf(file)),
    begin(file, componentId) {
      begun.set(nameOf(file), componentId);
      sources.delete(nameOf(file));
      write();
    },
    enter(file, sourceId) {
      begun.delete(nameOf(file));
      sources.set(nameOf(file), sourceId);
      write();
    },
    entries: () => [...sources].map(([name, sourceId]) => ({ file: resolve(folder, name), sourceId })),
  };
}
