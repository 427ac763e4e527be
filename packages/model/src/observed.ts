import type { DroppedEmit, Execution, HookName, Source, SourceType, StoredEvent } from "./model.ts";

/** A request that a component made. */
export interface ObservedCall {
  readonly method: string;
  readonly url: string;
  /** Status of the response; absent for none. */
  readonly status?: number;
  /** Why there was no response; absent if the component did not wait for one. */
  readonly error?: string;
}

/** One finished call of `options`, `additionalProps` or `eventNames`, whose answer alone counts. */
export interface ObservedQuestion {
  readonly entry: "options" | "additionalProps" | "eventNames";
  readonly componentId: string;
  /** The user who asked. */
  readonly userId: string;
  /** Its requests, in the order in which they began. */
  readonly calls: readonly ObservedCall[];
}

/** A write of an execution to a data store. */
export interface ObservedDataStoreWrite {
  /** The data store. */
  readonly name: string;
  readonly key: string;
  /** JSON text; undefined deletes the key. */
  readonly value: string | undefined;
}

/** One finished call of a component's code, with its effects before they are committed. */
export interface ObservedExecution {
  readonly source: Source;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  /** JSON text of its event; empty for hooks. */
  readonly event: string;
  /** When its trigger was accepted. */
  readonly at: number;
  readonly execution: Execution;
  /** Events of the `emits` stream, in order. */
  readonly emitted: readonly StoredEvent[];
  readonly dropped: readonly DroppedEmit[];
  /** Its db writes as JSON text; undefined deletes the key. */
  readonly db: ReadonlyMap<string, string | undefined>;
  /** Its writes to data stores, the last one of each key. */
  readonly dataStores: readonly ObservedDataStoreWrite[];
  /** Steps of a workflow that began, in order. In a failed run the last one threw. */
  readonly steps: readonly string[];
  /** Its requests, in the order in which they began. */
  readonly calls: readonly ObservedCall[];
}
