import type { RegistryItem } from "../api/api.ts";
import type { Component } from "../model/model.ts";
import type { Logger, RegistryModule } from "../api/options.ts";
import type { Store } from "../store/contract.ts";

/** The components that everybody finds by their keys (S10). */
export interface Registry {
  /**
   * The id of the component with this key; files that may have it are read first. Rejects with what keeps the component
   * that seems to have the key from being served, and with `not_found` while others are still to be read.
   */
  find(key: string): Promise<string | undefined>;
  /** Every component, and every file that cannot be served as it is, when all is read. */
  items(): Promise<readonly RegistryItem[]>;
  close(): Promise<void>;
}

export interface RegistryParts {
  /** Keeps what is known of files for the next process. */
  readonly store: Pick<Store, "registryFiles" | "commit">;
  /** Saves a component; hears the names of its files, relative to its root, as soon as they are known. */
  readonly save: (input: RegistryModule, noted: (files: readonly string[]) => void) => Promise<Component>;
  /** The key that a module's code seems to declare. */
  readonly seemingKey: (input: RegistryModule) => Promise<string | undefined>;
  /** What is saved from now on is made of what the npm registry has now. */
  readonly renew: () => void;
  /** First wait before components that could not have their packages are read again, in ms; it doubles. */
  readonly retryMs: number;
  readonly logger: Logger;
}
