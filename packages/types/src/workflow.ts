import type { Unknown } from "./component.ts";
import type { EmitMetadata } from "./emit.ts";
import type { HttpEvent, HttpResponse } from "./http.ts";
import type { ActionWords, MethodsThis } from "./instance.ts";
import type { Mistake } from "./mistake.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./none.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Props, Written } from "./props.ts";
import type { StepMistakes } from "./step-mistakes.ts";
import type { TimerEvent } from "./timer.ts";

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

/** What a step left for those after it: `$return_value`, and what it exported. */
export interface StepExports {
  readonly [name: string]: unknown;
}

/** What there is before a step: the trigger, and the steps that ran, by name. */
export type Steps<E = unknown> = {
  readonly trigger: { readonly event: E; readonly context: RunContext };
} & { readonly [step: string]: StepExports };

/** A request whose answer a step does not wait for. */
export interface SentRequest {
  readonly url: string;
  /** Default: GET without `data`, else POST. */
  readonly method?: string;
  /** Added to the query of the URL. */
  readonly params?: { readonly [name: string]: string | number | boolean };
  readonly headers?: { readonly [name: string]: string };
  /** The body: text as it is, anything else as JSON. */
  readonly data?: unknown;
  /** Credentials of basic authentication. */
  readonly auth?: { readonly username: string; readonly password: string };
}

/** What a step can do beside returning a value. */
export interface StepServices {
  readonly context: RunContext;
  /** Leaves a JSON value for later steps, as `steps.<this step>.<key>`. */
  export(key: string, value: unknown): void;
  readonly send: {
    /** Emits an event of the workflow. It takes its copy at once and need not be awaited. */
    emit(event?: unknown, metadata?: EmitMetadata): Promise<void>;
    /** Makes a request, which the end of the run waits for. Its failure is in the logs. */
    http(request: SentRequest): void;
    /** Emits an event on a channel. */
    sse(message: { readonly channel: string; readonly payload?: unknown }): Promise<void>;
  };
  readonly flow: {
    /** Ends the workflow well, here. */
    exit(reason?: string): never;
  };
  /** The answer to the request that triggered the workflow, with `customResponse: true`. */
  respond(response: HttpResponse): Promise<void>;
}

/** What `run` of a step is called with. */
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
  /** As a step of its own: an identifier. */
  name: string;
  key?: string;
  version?: string;
  description?: string;
  /** What tools say about it; the runtime does not read it. */
  annotations?: object;
}

/** Names that are written for those of fields. */
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

/** Gives types to an action written as a plain object; at run time it is the object itself. */
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

/** What makes a workflow run, beside subscriptions to which it listens. */
export type WorkflowTrigger =
  | { readonly type: "http"; readonly customResponse?: boolean }
  | { readonly type: "timer"; readonly intervalSeconds: number }
  | { readonly type: "timer"; readonly cron: string; readonly timezone?: string }
  | { readonly type: "event"; readonly emitterId: string; readonly eventName?: string };

/** What a trigger gives to the steps. */
export type TriggerEvent<T> = T extends { readonly type: "http" }
  ? HttpEvent
  : T extends { readonly type: "timer" }
    ? TimerEvent
    : unknown;

/** A step written where it stands. Its `this` has no types; write it with `defineAction` to have them. */
export interface OwnStep<E> extends ActionHead {
  type?: "action";
  props?: { readonly [name: string]: PropFields<unknown> | string };
  methods?: object;
  run(context: StepContext<E>): unknown;
}

type Value = null | string | number | boolean | readonly unknown[] | { readonly [member: string]: unknown };

/** A step whose code is an action with values for its props: values, or functions of the steps before. */
export interface ActionStep<E> {
  /** An identifier: later steps read what it leaves as `steps.<name>`. */
  name: string;
  action: { readonly props?: object; readonly run: (context: StepContext) => unknown };
  props?: { readonly [prop: string]: Value | ((before: { readonly steps: Steps<E> }) => unknown) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- props and methods of a step are not inferred
type Step<E> = (OwnStep<E> & ThisType<any>) | ActionStep<E>;

/** A list whose elements are inferred one by one. */
type Listed<S> = readonly S[] | readonly [];

/** No list of steps extends it. */
interface Unmatched {
  readonly unmatched: never;
}

/** A workflow as an author writes it. */
export interface WorkflowInput<T, A> {
  /** `p_` and 4 to 40 letters or digits; default: one that follows from user and name. */
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

/** Gives types to a workflow written as a plain object; at run time it is the object itself. */
export function defineWorkflow<const T extends WorkflowTrigger | undefined = undefined, const A = unknown>(
  workflow: WorkflowInput<T, A>,
): Workflow {
  return workflow;
}
