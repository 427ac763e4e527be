import type { WorkflowHandler } from "@x/sandbox";
export type { HandlerServices, RunContext, WorkflowHandler } from "@x/sandbox";
import type { ComponentWarning, Json, SourceSettings } from "@x/model";

/** The trigger of a workflow; subscriptions and `invoke` run it too. */
export type WorkflowTrigger =
  | { readonly type: "http"; readonly customResponse?: boolean }
  | { readonly type: "timer"; readonly intervalSeconds: number }
  | { readonly type: "timer"; readonly cron: string; readonly timezone?: string }
  /**
   * A subscription that exists as long as this trigger. `emitterId` may be the name slug of a source, which need not exist yet: the
   * workflow is subscribed to it when it is created, also again after it was deleted.
   */
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
  /** The name in lower case, with a hyphen for each character that is no letter or digit. */
  readonly nameSlug: string;
  /** True when this process has registered the workflow. */
  readonly active: boolean;
  /** Endpoint of an HTTP trigger. */
  readonly endpointUrl?: string;
  readonly deploymentId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** About the trigger, with its next ticks; absent when there are none, and in lists. */
  readonly warnings?: readonly ComponentWarning[];
}

/** A workflow with its definition. */
export interface WorkflowDetail extends WorkflowView {
  /** Names of the steps in order; empty when a function of the embedder runs instead. */
  readonly steps: readonly string[];
  /** The name of the source that its trigger waits for; absent when there is one of that name, and for other triggers. */
  readonly awaitedSource?: string;
}
