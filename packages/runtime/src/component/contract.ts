import type { Component, ComponentShape, Json, Source } from "../model.ts";
import type { Description } from "../sandbox/contract.ts";

/** Where a component's code comes from. A file follows relative imports inside `root` (default: the file's folder). */
export type CodeInput =
  | { readonly code: string; readonly url?: string }
  | { readonly file: string; readonly root?: string };

export interface Bundled {
  readonly bundle: string;
  readonly sourceMap: string;
  /** Entry text as submitted. */
  readonly code: string;
  readonly contentHash: string;
}

/** Bundles in a process of its own. Rejects with `bundle_failed` or `package_unresolved`. */
export interface Bundler {
  bundle(input: CodeInput): Promise<Bundled>;
  close(): Promise<void>;
}

/** Everything of a component that is known before it is stored. */
export type LoadedComponent = Pick<
  Component,
  "code" | "codeHash" | "contentHash" | "componentUrl" | "shape" | "bundle" | "sourceMap"
>;

export interface ComponentLoader {
  /** Rejects with `bundle_failed`, `package_unresolved` or `invalid_component` (all problems in `details.errors`). */
  load(input: CodeInput): Promise<LoadedComponent>;
  close(): Promise<void>;
}

export type Describe = (bundle: { hash: string; code: string }) => Promise<Description>;

/** Values as stored: timers as `TimerValue`, http and db props absent, the rest as given. */
export type ConfiguredProps = Source["configuredProps"];

export interface PropsRules {
  /**
   * Validates what a caller configured against the shape (contract 3.3, traps T3, T12) and normalises it.
   * `previous` is merged by key, null unsets (G58). Throws `invalid_props` with every problem and its path.
   */
  configure(shape: ComponentShape, given: unknown, previous?: ConfiguredProps): ConfiguredProps;
  /** Values that `this.<prop>` reads: defaults filled in, label-value forms unwrapped unless `withLabel`. */
  values(shape: ComponentShape, configured: ConfiguredProps): { [prop: string]: Json };
}
