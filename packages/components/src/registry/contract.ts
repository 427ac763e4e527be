import type { Component, Logger } from "@x/model";
import type { Store } from "@x/store";

/** The components that every user finds by their keys. */
export interface Registry {
  /**
   * The id of the component with this key; files that may have it are read first. Rejects with the reason why the
   * component with this key cannot be served, and with `not_found` while other files are still to be read.
   */
  find(key: string): Promise<string | undefined>;
  /** Every component, and every file that cannot be served. Resolves when all files have been read. */
  items(): Promise<readonly RegistryItem[]>;
  close(): Promise<void>;
}

export interface RegistryParts {
  /** Stores the results of reading files for the next process. */
  readonly store: Pick<Store, "registryFiles" | "commit">;
  /** Saves a component. Calls `onFiles` with the names of its files, relative to its root, as soon as they are known. */
  readonly save: (input: RegistryModule, onFiles: (files: readonly string[]) => void) => Promise<Component>;
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
