import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { EnvironmentError } from "../errors.ts";

/**
 * The source of each file and the accounts it uses, stored in the data folder: ids, dbs and endpoints survive a restart.
 * Every write is durable when the method returns.
 */
export interface DevState {
  sourceOf(file: string): string | undefined;
  /** The component of a deploy that was started and not confirmed. */
  pendingComponentOf(file: string): string | undefined;
  /** Records that a source of this component is about to be deployed for the file. */
  beginDeploy(file: string, componentId: string): void;
  setSource(file: string, sourceId: string): void;
  /** The stored account with the credentials that the accounts file has under `key` for the app. */
  accountOf(app: string, key: string): string | undefined;
  setAccount(app: string, key: string, accountId: string): void;
  /** Every file with its source. */
  entries(): readonly { readonly file: string; readonly sourceId: string }[];
}

const fileName = "dev.json";

interface StateMaps {
  readonly sources: Map<string, string>;
  readonly begun: Map<string, string>;
  readonly accounts: Map<string, string>;
}

type StoredMap = { readonly [name: string]: string };

function readState(path: string): StateMaps {
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
    } = JSON.parse(text) as { readonly sources: StoredMap; readonly begun?: StoredMap; readonly accounts?: StoredMap };
    const mapOf = (stored: StoredMap): Map<string, string> => new Map(Object.entries(stored));
    return { sources: mapOf(sources), begun: mapOf(begun), accounts: mapOf(accounts) };
  } catch {
    throw new EnvironmentError(`${path} is damaged; remove it, and the files get new sources`);
  }
}

/** App slugs have no spaces. */
const accountName = (app: string, key: string): string => `${app} ${key}`;

/** File names are stored relative to the folder, so that a project can be moved with its data. */
export function openDevState(folder: string): DevState {
  const path = join(folder, fileName);
  const { sources, begun, accounts } = readState(path);
  const nameOf = (file: string): string => relative(resolve(folder), file);
  const write = (): void => {
    const state = {
      sources: Object.fromEntries(sources),
      begun: Object.fromEntries(begun),
      accounts: Object.fromEntries(accounts),
    };
    writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  };
  return {
    sourceOf: (file) => sources.get(nameOf(file)),
    pendingComponentOf: (file) => begun.get(nameOf(file)),
    beginDeploy(file, componentId) {
      begun.set(nameOf(file), componentId);
      sources.delete(nameOf(file));
      write();
    },
    setSource(file, sourceId) {
      begun.delete(nameOf(file));
      sources.set(nameOf(file), sourceId);
      write();
    },
    accountOf: (app, key) => accounts.get(accountName(app, key)),
    setAccount(app, key, accountId) {
      accounts.set(accountName(app, key), accountId);
      write();
    },
    entries: () => [...sources].map(([name, sourceId]) => ({ file: resolve(folder, name), sourceId })),
  };
}
