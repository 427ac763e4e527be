import type { Json } from "@x/model";

/** The context of a run. */
export interface RunContext {
  /** Id of the execution. */
  readonly id: string;
  /** When its trigger was accepted, ISO 8601. */
  readonly ts: string;
  readonly workflow_id: string;
  readonly deployment_id: string;
  readonly source_type: string;
  readonly verified: boolean;
  readonly owner_id: string;
  readonly platform_version: string;
}

/** Services of a handler. They have no effect after the end of the run. */
export interface HandlerServices {
  readonly context: RunContext;
  readonly send: {
    /** Copies the event at once. */
    emit(
      event?: unknown,
      metadata?: { id?: string | number; summary?: string; ts?: number | string | Date; name?: string },
    ): void;
  };
  readonly flow: {
    /** Ends the run with success; later effects of the function are ignored. */
    exit(reason?: string): void;
  };
  /** Responds to the request that triggered the run, with `customResponse: true`. Only the first call has an effect. */
  respond(answer: {
    status: number;
    headers?: { readonly [name: string]: string | readonly string[] };
    body?: string | Uint8Array | object;
  }): void;
  /** Adds a record to the workflow's `$logs`. */
  log(...values: unknown[]): void;
  /** The db of the workflow. Writes of a run are committed together with its events. */
  readonly db: {
    get(key: string): Json | undefined;
    /** Undefined removes the key. */
    set(key: string, value: unknown): void;
    delete(key: string): boolean;
    has(key: string): boolean;
    keys(prefix?: string): string[];
  };
}

/**
 * A function of the embedder instead of steps. It is not sandboxed: it has all rights of the process, and an endless loop
 * in it blocks the process. After its deadline the signal aborts and its effects are ignored.
 */
export type WorkflowHandler = (
  event: Json,
  run: { readonly $: HandlerServices; readonly signal: AbortSignal },
) => unknown;
