import type { Json, Limits, SourceSettings } from "@x/runtime";

import type { EngineKind } from "./engine/engine-kind.ts";
import type { Moment } from "./moment.ts";
import type { PropsOf } from "./prop-values.ts";
import type { Answerer, Routes } from "./traffic/upstream.ts";

/** Credentials by app, or by app prop when two props have the same app: what `$auth` gives. */
export type Accounts = { readonly [appOrProp: string]: { readonly [field: string]: unknown } };

/** `Component` is the type of the component, for the types of its props: `source<typeof feed>(…)`. */
export interface SourceOptions<Component = unknown> {
  readonly props?: PropsOf<Component>;
  readonly accounts?: Accounts;
  /** When the clock starts; default: 2026-01-01T00:00:00Z. */
  readonly now?: Moment;
  /** What upstreams answer, by `METHOD URL`; or a recording, see `cassette`. Nothing else leaves the harness. */
  readonly routes?: Routes | Answerer;
  /** Folder that the component's imports may come from; default: the `components` folder or the package it is in. */
  readonly root?: URL | string;
  /** Default: the component's name. */
  readonly name?: string;
  /** Default here: `runTimeoutMs` 4 000. */
  readonly settings?: SourceSettings;
  /**
   * What runs the component. Default: what the environment's `X_ENGINE` says, else "quickjs", the sandbox, in the test's own
   * thread: one step of the engine that takes for ever cannot be ended there. "threads" runs it in a thread, as it is served.
   * "node" runs it in the test's own process without any sandbox, so that breakpoints in its files are hit.
   */
  readonly engine?: EngineKind;
  /** Limits of the runtime; sources with the same ones share their threads. */
  readonly limits?: Partial<Limits>;
}

export interface DeployOptions {
  /** False: what the deploy hook emits is not kept. */
  readonly emitOnDeploy?: boolean;
}

export interface Question {
  /** Configured so far; over the props of the source. */
  readonly props?: { readonly [prop: string]: unknown };
  /** Counts from 0. */
  readonly page?: number;
  /** The `context` of the answer before. */
  readonly prevContext?: Json;
  readonly query?: string;
}

/** Choices of a prop. */
export interface Choices {
  readonly options: readonly { readonly label: string; readonly value: Json }[];
  readonly values: readonly Json[];
  /** For `prevContext` of the next page. */
  readonly context: Json;
}
