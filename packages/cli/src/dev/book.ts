import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { EnvironmentError } from "../errors.ts";

/**
 * Which source a file has, and which accounts it was given, kept in the data folder: ids, dbs and endpoints stay the
 * same from one start to the next.
 */
export interface Book {
  sourceOf(file: string): string | undefined;
  /** The component of a deploy that was begun, and of which nobody knows whether it was done. */
  begunOf(file: string): string | undefined;
  /** Notes that a source of this component is about to be deployed for the file. Durable when it returns. */
  begin(file: string, componentId: string): void;
  /** Durable when it returns. */
  enter(file: string, sourceId: string): void;
  /** The stored account that was made of the credentials of an app with this key. */
  accountOf(app: string, key: string): string | undefined;
  /** Durable when it returns. */
  enterAccount(app: string, key: string, accountId: string): void;
  /** Every file with its source. */
  entries(): readonly { readonly file: string; readonly sourceId: string }[];
}

const bookName = "dev.json";

interface Pages {
  readonly sources: Map<string, string>;
  readonly begun: Map<string, string>;
  readonly accounts: Map<string, string>;
}

type Written = { readonly [name: string]: string };

function readPages(path: string): Pages {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { sources: new Map(), begun: new Map(), accounts: new Map() };
    throw error;
  }
  try {
    const {
      sources,
      begun = {},
      accounts = {},
    } = JSON.parse(text) as { readonly sources: Written; readonly begun?: Written; readonly accounts?: Written };
    const mapOf = (written: Written): Map<string, string> => new Map(Object.entries(written));
    return { sources: mapOf(sources), begun: mapOf(begun), accounts: mapOf(accounts) };
  } catch {
    throw new EnvironmentError(`${path} is damaged; remove it, and the files get new sources`);
  }
}

/** No app slug has a space. */
const accountName = (app: string, key: string): string => `${app} ${key}`;

/** Files are kept relative to the folder, so that a project may be moved with its data. */
export function openBook(folder: string): Book {
  const path = join(folder, bookName);
  const { sources, begun, accounts } = readPages(path);
  const nameOf = (file: string): string => relative(resolve(folder), file);
  const write = (): void => {
    const pages = {
      sources: Object.fromEntries(sources),
      begun: Object.fromEntries(begun),
      accounts: Object.fromEntries(accounts),
    };
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
    accountOf: (app, key) => accounts.get(accountName(app, key)),
    enterAccount(app, key, accountId) {
      accounts.set(accountName(app, key), accountId);
      write();
    },
    entries: () => [...sources].map(([name, sourceId]) => ({ file: resolve(folder, name), sourceId })),
  };
}
