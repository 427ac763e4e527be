import type { Component, Logger } from "@x/model";
import type { Declared } from "../declared/contract.ts";
import type { Store } from "@x/store";

/** The components that every user finds by their keys. */
export interface Registry {
  /**
   * The id of the component with this key; files that may have it are evaluated first, for at most `waitMs` (default: as
   * long as it takes). Rejects with the reason why the component with this key cannot be served, and with `not_found` while
   * it, or other files that may have the key, are still to be read.
   */
  find(key: string, waitMs?: number): Promise<string | undefined>;
  /** What is known now, in the order of the keys. Components that are not evaluated yet are there by what their text says. */
  list(): RegistryList;
  /** Every component, and every file that cannot be served. Resolves when all files have been evaluated. */
  items(): Promise<readonly RegistryItem[]>;
  close(): Promise<void>;
}

/** How much of a registry is known. */
export interface RegistryProgress {
  /** Files with a known key. */
  readonly known: number;
  /** Files that are evaluated and served. */
  readonly evaluated: number;
  /** Files that are evaluated and cannot be served. */
  readonly refused: number;
  /** Files that may be components. Grows while the folder is being listed. */
  readonly total: number;
}

/** A component in the list of a registry. */
export interface RegistryEntry extends Omit<RegistryItem, "key"> {
  readonly key: string;
  /** "known": by its text alone. "refused": see `problem`. */
  readonly state: "known" | "evaluated" | "refused";
}

export interface RegistryList {
  readonly items: readonly RegistryEntry[];
  readonly progress: RegistryProgress;
}

export interface RegistryParts {
  /** Stores the results of reading files for the next process. */
  readonly store: Pick<Store, "registryFiles" | "commit">;
  /**
   * Saves a component. Calls `onFiles` with the names of its files, relative to its root, as soon as they are known.
   * `isAsked`: somebody waits for it; else it has low priority.
   */
  readonly save: (
    input: RegistryModule,
    onFiles: (files: readonly string[]) => void,
    isAsked: boolean,
  ) => Promise<Component>;
  /** Reads files by parsing them alone, in order. */
  readonly declare: (files: readonly string[]) => Promise<readonly Declared[]>;
  /** The key that a module's code seems to declare. */
  readonly seemingKey: (input: RegistryModule) => Promise<string | undefined>;
  /** Forgets the answers of the npm registry, so that later saves ask it again. */
  readonly renew: () => void;
  /** Milliseconds before components whose packages could not be installed are read again; the wait doubles each time. */
  readonly retryMs: number;
  readonly logger: Logger;
}

/** A component of the registry, or a file with a problem. */
export interface RegistryItem {
  /** Relative to the folder of the registry. */
  readonly file: string;
  readonly key?: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** `source` or `action`. */
  readonly type?: string;
  /** Slugs of the apps whose accounts it needs. */
  readonly apps?: readonly string[];
  readonly componentId?: string;
  /** The problem of the file. With the other fields: these are of its last good version. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** A component of the registry. */
export type RegistryModule = { readonly file: string; readonly root?: string } | { readonly code: string };

export interface PublishInput {
  readonly file: string;
  /** Folder that contains all its imports; default: the folder of the file. */
  readonly root?: string;
  /** Target folder; default: the registry of this runtime. */
  readonly registry?: string;
  /** Publishes into a folder with other files too; default false. */
  readonly force?: boolean;
}

export interface PublishedComponent {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly registry: string;
  /** The entry file in the registry. */
  readonly file: string;
  /** All copied files, relative to the root, the entry first. */
  readonly files: readonly string[];
  readonly change: "new" | "updated" | "unchanged";
}
