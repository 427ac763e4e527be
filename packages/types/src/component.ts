import type { AnyFunction } from "./any-function.ts";
import type { DedupeStrategy } from "./emit.ts";
import type { EventFor } from "./event.ts";
import type { ComponentThis, ComponentWords } from "./instance.ts";
import type { Mistake } from "./mistake.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./field.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Props, Written } from "./props.ts";

/** A message for an unknown strategy. A value of type `string` is accepted. */
type DedupeMistake<D> = D extends DedupeStrategy | undefined
  ? unknown
  : string extends D
    ? unknown
    : Mistake<"dedupe is unique, greatest or last">;

/** A message for a type other than `source`. A value of type `string` is accepted. */
type KindMistake<T> = T extends "source" | undefined
  ? unknown
  : string extends T
    ? unknown
    : Mistake<"the type of a component is source; an action is made with defineAction">;

/** A message for `additionalProps` that is not a method, or does not return props by name. */
type AddedMistake<A> = A extends (...args: never) => infer R
  ? NoProps<Awaited<R>>
  : unknown extends A
    ? unknown
    : A extends AnyFunction | undefined
      ? unknown
      : Mistake<"additionalProps is a method: it returns a prop for each name">;

type NoProps<R> = unknown extends R
  ? unknown
  : [Exclude<R, null | undefined | void>] extends [object & { readonly [Symbol.iterator]?: never }]
    ? unknown
    : Mistake<"additionalProps must return an object: a prop for each name">;

/** Functions that run when a source is created, activated or deactivated. */
export interface Hooks {
  /** Runs once, when the source is created. */
  deploy?: AnyFunction;
  /** Runs when the source becomes active. */
  activate?: AnyFunction;
  /** Runs before the source is updated, paused or deleted. */
  deactivate?: AnyFunction;
}

/** A message at every unknown hook. */
type HookMistakes<H> = {
  readonly [
    N in Exclude<keyof H, keyof Hooks>
  ]?: Mistake<`no hook is called ${N & string}: there are deploy, activate and deactivate`>;
};

/** The fields that identify a component. */
export interface ComponentHead<T = "source"> {
  name: string;
  version: string;
  key?: string;
  description?: string;
  type?: T & KindMistake<NoInfer<T>>;
  /** Data for tools; the runtime does not read it. */
  annotations?: object;
}

/** Methods whose types cannot be inferred because of another mistake: `any`, so that only that mistake is reported. */
// oxlint-disable-next-line typescript/no-explicit-any -- one mistake, one error
export type Unknown<K extends string> = { readonly [N in K]: any };

/** What components and mixins have in common. */
export interface ComponentBody<S, F, V, K extends string, M, H, A, D, E, X, C = never> {
  /** Which events with a known id are dropped. Default: none. */
  dedupe?: D & DedupeMistake<NoInfer<D>>;
  /** True: when `run` throws, its events and db writes are discarded. Default: false. */
  transactional?: boolean | undefined;
  /** True: integers beyond 2^53 in bodies of requests and in `response.json()` are read as texts. Default: false. */
  exactIntegers?: boolean | undefined;
  /** What the events are like: a JSON Schema, or their type alone, `emits: {} as Order`. */
  emits?: E;
  /** An example event. */
  sampleEmit?: X;
  props?: Props<S, F, V, K, UnlessMisnamed<C, Misses, unknown>, K | `$${string}`>;
  /** Returns props that depend on the values of other props. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the author describes what it is given
  additionalProps?: A & AddedMistake<NoInfer<A>> & (((previous: any) => unknown) | AnyFunction);
  methods?: M & { readonly [N in K]?: unknown };
  hooks?: H & Hooks & HookMistakes<NoInfer<H>>;
}

/** A component as an author writes it. All fields are optional here; `Names` requires them, so that inference survives a misspelt one. */
export interface ComponentInput<T, S, F, V, K extends string, M, H, A, D, E, X, C = never>
  extends Partial<ComponentHead<T>>, ComponentBody<S, F, V, K, M, H, A, D, E, X, C> {
  run?(event: EventFor<Written<S, F>>): unknown;
}

/** A component as other modules see it. */
export interface Component<S, M, H, D, E, X> extends ComponentHead {
  readonly dedupe: D;
  readonly emits?: E;
  readonly sampleEmit?: X;
  readonly props: S;
  readonly methods: M;
  readonly hooks: H;
  run(event: EventFor<S>): unknown;
}

/** The required fields of a component. */
type Needed = "name" | "version" | "run";

/** Common misspellings of fields. */
interface Misses {
  readonly hook: "hooks";
  readonly method: "methods";
  readonly prop: "props";
  readonly properties: "props";
  readonly additionalProp: "additionalProps";
}

/** `any` for a component that spreads an untyped object: then even the names of its fields are unknown. */
// oxlint-disable-next-line typescript/no-explicit-any -- nothing is known
type Self<C, I> = [C] extends [never] ? any : UnlessMisnamed<C, Misses, I>;

/** Types a component. Returns the object that it gets. */
export function defineComponent<
  C extends string = never,
  const T = unknown,
  const F = None,
  S = None,
  const V = PropFields<PropValues<F>>,
  K extends string = never,
  M extends object = Unknown<K>,
  H = None,
  A = unknown,
  const D = unknown,
  const E = unknown,
  X = unknown,
>(
  component: ComponentInput<T, S, F, V, K, M, H, A, D, E, X, C> &
    Names<C, Needed, Misses> &
    ThisType<Self<C, ComponentThis<ComponentWords, Written<S, F>, M, D, E, C>>>,
): Component<Written<S, F>, M, H, D, E, X> {
  return component as unknown as Component<Written<S, F>, M, H, D, E, X>;
}
