import type { Json, SourceSettings } from "../model/model.ts";

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

/** The trigger of a workflow; subscriptions and `invoke` run it too. */
export type WorkflowTrigger =
  | { readonly type: "http"; readonly customResponse?: boolean }
  | { readonly type: "timer"; readonly intervalSeconds: number }
  | { readonly type: "timer"; readonly cron: string; readonly timezone?: string }
  /** A subscription that exists as long as this trigger. */
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
  /** `p_` and 4 to 40 letters or digits; default: derived from user and name. */
  readonly id?: string;
  /** Default: the name in the module. */
  readonly name?: string;
  /** Default: the trigger in the module. Without one, only subscriptions and `invoke` run the workflow. */
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
  /** True when this process has registered the workflow. */
  readonly active: boolean;
  /** Endpoint of an HTTP trigger. */
  readonly endpointUrl?: string;
  readonly deploymentId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A workflow with its definition. */
export interface WorkflowDetail extends WorkflowView {
  /** Names of the steps in order; empty when a function of the embedder runs instead. */
  readonly steps: readonly string[];
}
