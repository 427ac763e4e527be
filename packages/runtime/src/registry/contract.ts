import type { RegistryItem } from "../api/api.ts";
import type { Component } from "../model/model.ts";
import type { RegistryModule } from "../api/options.ts";
import type { Logger } from "../api/logger.ts";
import type { Store } from "../store/contract.ts";

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
