import type { Json, Limits, SourceSettings } from "@x/runtime";

import type { EngineKind } from "./engine/engine.ts";
import type { PropsOf } from "./component-types.ts";
import type { Instant } from "./time.ts";
import type { Answerer, Routes } from "./traffic/upstream.ts";

/** The fields of `$auth` by app, or by app prop where two props have the same app. */
export type Accounts = { readonly [appOrProp: string]: { readonly [field: string]: unknown } };

/** `Component` is the type of the component, for types of its props: `source<typeof feed>(…)`. */
export interface SourceOptions<Component = unknown> {
  readonly props?: PropsOf<Component>;
  readonly accounts?: Accounts;
  /** The start of the clock. Default: 2026-01-01T00:00:00Z. */
  readonly now?: Instant;
  /** Answers of upstreams by `METHOD URL`, or a recording, see `cassette`. Default: none. No request reaches the network. */
  readonly routes?: Routes | Answerer;
  /** Folder that the component's imports may come from. Default: the `components` folder or the package that contains it. */
  readonly root?: URL | string;
  /** Default: the component's name. */
  readonly name?: string;
  /** Settings of the source. */
  readonly settings?: SourceSettings;
  /**
   * Default: `X_ENGINE` of the environment, else "quickjs". "quickjs" is the sandbox in the test's own thread, where a single
   * engine operation that never ends cannot be stopped. "threads" is the sandbox in a worker thread, as in `x serve`. "node"
   * runs the component in the test's process without a sandbox, so that debuggers stop at breakpoints in its files.
   */
  readonly engine?: EngineKind;
  /** Limits of the runtime; defaults here: `runTimeoutMs`, `hookTimeoutMs` and `optionsTimeoutMs` 4,000 ms. */
  readonly limits?: Partial<Limits>;
}

export interface DeployOptions {
  /** False: events of the deploy hook are dropped. Default: true. */
  readonly emitOnDeploy?: boolean;
}

/** The arguments of an option method. */
export interface Question {
  /** Values that replace those of the source. */
  readonly props?: { readonly [prop: string]: unknown };
  /** Page number, from 0. Default: 0. */
  readonly page?: number;
  /** The `context` of the previous page. */
  readonly prevContext?: Json;
  /** Text that the user typed. */
  readonly query?: string;
}

/** Choices of a prop. */
export interface Choices {
  readonly options: readonly { readonly label: string; readonly value: Json }[];
  readonly values: readonly Json[];
  /** Pass it as `prevContext` for the next page. */
  readonly context: Json;
}
