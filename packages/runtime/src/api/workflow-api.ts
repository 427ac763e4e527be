import type { Json, SourceSettings } from "../model/model.ts";

/** What a run is told about itself. */
export interface RunContext {
  /** The execution. */
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

/** What a handler can do. Nothing of it has an effect once the run has ended. */
export interface HandlerServices {
  readonly context: RunContext;
  readonly send: {
    /** Takes its copy at once. */
    emit(
      event?: unknown,
      metadata?: { id?: string | number; summary?: string; ts?: number | string | Date; name?: string },
    ): void;
  };
  readonly flow: {
    /** Ends the run well; what the function does after it is ignored. */
    exit(reason?: string): void;
  };
  /** The answer to the request that triggered the run, with `customResponse: true`; the first counts. */
  respond(answer: {
    status: number;
    headers?: { readonly [name: string]: string | readonly string[] };
    body?: string | Uint8Array | object;
  }): void;
  /** Into the workflow's `$logs`. */
  log(...values: unknown[]): void;
  /** The workflow's own values; what a run writes is stored with what it emits, or not at all. */
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
 * A function of the embedder in place of steps. It is not sandboxed: it can do what the process can, and a loop in it
 * stops everything. It has a deadline, after which the signal aborts and what it does is ignored.
 */
export type WorkflowHandler = (
  event: Json,
  run: { readonly $: HandlerServices; readonly signal: AbortSignal },
) => unknown;

/** What makes a workflow run, beside subscriptions to which it listens. */
export type WorkflowTrigger =
  | { readonly type: "http"; readonly customResponse?: boolean }
  | { readonly type: "timer"; readonly intervalSeconds: number }
  | { readonly type: "timer"; readonly cron: string; readonly timezone?: string }
  /** A subscription that comes and goes with this trigger. */
  | { readonly type: "event"; readonly emitterId: string; readonly eventName?: string };

/** A step whose action is a component. */
export interface WorkflowStep {
  /** An identifier: later steps read what it exports as `steps.<name>`. */
  readonly name: string;
  readonly component:
    | { readonly code: string }
    | { readonly file: string; readonly root?: string }
    | { readonly key: string }
    | { readonly componentId: string };
  readonly props?: { readonly [prop: string]: Json };
}

/** A workflow: exactly one of `file`, `code`, `steps` and `handler`. */
export interface WorkflowInput {
  /** `p_` and 4 to 40 letters or digits; default: one that follows from user and name. */
  readonly id?: string;
  /** Default: the module's. */
  readonly name?: string;
  /** Default: the module's. Without one, only subscriptions and `invoke` run it. */
  readonly trigger?: WorkflowTrigger;
  readonly settings?: SourceSettings;
  /** A module that exports `defineWorkflow({…})`, with its relative imports inside `root`. */
  readonly file?: string;
  readonly root?: string;
  readonly code?: string;
  readonly steps?: readonly WorkflowStep[];
  readonly handler?: WorkflowHandler;
}

export interface WorkflowView {
  readonly id: string;
  readonly name: string;
  /** This process has registered it. */
  readonly active: boolean;
  /** Of an HTTP trigger. */
  readonly endpointUrl?: string;
  readonly deploymentId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}
