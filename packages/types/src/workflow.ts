import type { Unknown } from "./component.ts";
import type { EmitMetadata } from "./emit.ts";
import type { HttpEvent, HttpResponse } from "./http.ts";
import type { ActionWords, MethodsThis } from "./instance.ts";
import type { Mistake } from "./mistake.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./field.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Props, Unmatched, Written } from "./props.ts";
import type { StepMistakes } from "./step-mistakes.ts";
import type { TimerEvent } from "./timer.ts";

/** Facts about a run. */
export interface RunContext {
  /** Id of the run. */
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

/** The results of a step: `$return_value` and its exports. */
export interface StepExports {
  readonly [name: string]: unknown;
}

/** The trigger and the earlier steps, by name. */
export type Steps<E = unknown> = {
  readonly trigger: { readonly event: E; readonly context: RunContext };
} & { readonly [step: string]: StepExports };

/** A request that a step does not wait for. */
export interface SentRequest {
  readonly url: string;
  /** Default: GET without `data`, else POST. */
  readonly method?: string;
  /** Added to the query of the URL. */
  readonly params?: { readonly [name: string]: string | number | boolean };
  readonly headers?: { readonly [name: string]: string };
  /** The body: text unchanged, other values as JSON. */
  readonly data?: unknown;
  /** Credentials of basic authentication. */
  readonly auth?: { readonly username: string; readonly password: string };
}

/** `$` in a step. */
export interface StepServices {
  readonly context: RunContext;
  /** Exports a JSON value to later steps, as `steps.<this step>.<key>`. */
  export(key: string, value: unknown): void;
  readonly send: {
    /** Emits an event of the workflow. It copies the event at once and need not be awaited. */
    emit(event?: unknown, metadata?: EmitMetadata): Promise<void>;
    /** Sends a request; the run ends when it is answered. A failure is logged. */
    http(request: SentRequest): void;
    /** Emits an event on a channel. */
    sse(message: { readonly channel: string; readonly payload?: unknown }): Promise<void>;
  };
  readonly flow: {
    /** Ends the run successfully; later steps do not run. */
    exit(reason?: string): never;
  };
  /** Answers the request that triggered the workflow. Needs `customResponse: true`. */
  respond(response: HttpResponse): Promise<void>;
}

/** The argument of `run` of a step. */
export interface StepContext<E = unknown> {
  readonly steps: Steps<E>;
  readonly $: StepServices;
}

type InterfaceName = "$.interface.http" | "$.interface.timer";

type NoInterfaces<P> = {
  readonly [N in keyof P]: P[N] extends InterfaceName | { readonly type: InterfaceName }
    ? Mistake<"a step has no interface: the workflow's trigger runs it">
    : unknown;
};

interface ActionHead {
  /** An identifier when the action is a step. */
  name: string;
  key?: string;
  version?: string;
  description?: string;
  /** Data for tools; the runtime does not read it. */
  annotations?: object;
}

/** Common misspellings of fields. */
interface Misses {
  readonly method: "methods";
  readonly prop: "props";
  readonly properties: "props";
}

/** An action as an author writes it: the code of a step, with its props. */
export interface ActionInput<S, F, V, K extends string, M, C = never> extends ActionHead {
  type: "action";
  props?: Props<S, F, V, K, UnlessMisnamed<C, Misses, unknown>, K> & NoInterfaces<NoInfer<S>>;
  methods?: M & { readonly [N in K]?: unknown };
  run(context: StepContext): unknown;
}

/** An action as other modules see it. */
export interface Action<P, M> extends ActionHead {
  readonly type: "action";
  readonly props: P;
  readonly methods: M;
  run(context: StepContext): unknown;
}

/** Types an action. Returns the object that it gets. */
export function defineAction<
  C extends string = never,
  const F = None,
  S = None,
  const V = PropFields<PropValues<F>>,
  K extends string = never,
  M extends object = Unknown<K>,
>(
  action: ActionInput<S, F, V, K, M, C> &
    Names<C, never, Misses> &
    ThisType<UnlessMisnamed<C, Misses, MethodsThis<ActionWords, M, PropValues<Written<S, F>>>>>,
): Action<Written<S, F>, M> {
  return action as unknown as Action<Written<S, F>, M>;
}

/** The trigger of a workflow, besides its subscriptions. */
export type WorkflowTrigger =
  | { readonly type: "http"; readonly customResponse?: boolean }
  | { readonly type: "timer"; readonly intervalSeconds: number }
  | { readonly type: "timer"; readonly cron: string; readonly timezone?: string }
  /** `emitterId`: name slug of a source, which need not exist yet, id of a source or workflow, or `dc_*` or `p_*`. */
  | { readonly type: "event"; readonly emitterId: string; readonly eventName?: string };

/** The event of a trigger. */
export type TriggerEvent<T> = T extends { readonly type: "http" }
  ? HttpEvent
  : T extends { readonly type: "timer" }
    ? TimerEvent
    : unknown;

/** A step written inside the workflow. Its `this` is untyped; `defineAction` types it. */
export interface OwnStep<E> extends ActionHead {
  type?: "action";
  props?: { readonly [name: string]: PropFields<unknown> | string };
  methods?: object;
  run(context: StepContext<E>): unknown;
}

type Value = null | string | number | boolean | readonly unknown[] | { readonly [member: string]: unknown };

/** A step that runs an action. `props` are values, or functions of the earlier steps. */
export interface ActionStep<E> {
  /** An identifier: later steps read its results as `steps.<name>`. */
  name: string;
  action: { readonly props?: object; readonly run: (context: StepContext) => unknown };
  props?: { readonly [prop: string]: Value | ((before: { readonly steps: Steps<E> }) => unknown) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- props and methods of a step are not inferred
type Step<E> = (OwnStep<E> & ThisType<any>) | ActionStep<E>;

/** A list that is inferred as a tuple. */
type Listed<S> = readonly S[] | readonly [];

/** A workflow as an author writes it. */
export interface WorkflowInput<T, A> {
  /** `p_` and 4 to 40 letters or digits. Default: derived from user and name. */
  id?: string;
  name: string;
  version?: string;
  description?: string;
  trigger?: T;
  steps: ([A] extends [Unmatched] ? A : unknown) &
    Listed<Step<TriggerEvent<NoInfer<T>>>> &
    StepMistakes<NoInfer<A>, Step<TriggerEvent<NoInfer<T>>>>;
}

/** A workflow as other modules see it. */
export interface Workflow {
  readonly id?: string;
  readonly name: string;
  readonly steps: readonly object[];
}

/** Types a workflow. Returns the object that it gets. */
export function defineWorkflow<const T extends WorkflowTrigger | undefined = undefined, const A = unknown>(
  workflow: WorkflowInput<T, A>,
): Workflow {
  return workflow;
}
