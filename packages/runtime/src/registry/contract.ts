import type { RegistryItem } from "../api.ts";
import type { Component } from "../model.ts";
import type { Logger, RegistryModule } from "../options.ts";

/** The components that everybody finds by their keys (S10). */
export interface Registry {
  /**
   * The id of the component with this key; one that is not known yet is waited for. Rejects with a `package_…` error when
   * the component that seems to have the key cannot have its packages.
   */
  find(key: string): Promise<string | undefined>;
  /** Every component, and every file that cannot be served as it is, when all is read. */
  items(): Promise<readonly RegistryItem[]>;
  close(): Promise<void>;
}

export interface RegistryParts {
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
