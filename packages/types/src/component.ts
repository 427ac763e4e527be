import type { DedupeStrategy, EmitFor } from "./emit.ts";
import type { EventFor } from "./event.ts";
import type { Mistake } from "./mistake.ts";
import type { None } from "./none.ts";
import type { AnyFunction, PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Props, Written } from "./props.ts";

/** What `this` is in `run`, hooks and methods. */
export type Instance<S, M, D, E> = PropValues<S> & M & { readonly $emit: EmitFor<D, E> };

/** What a component does when its source is made, activated, deactivated. */
export interface Hooks {
  /** Once, when a source is made. */
  deploy?: AnyFunction;
  /** When a source becomes active. */
  activate?: AnyFunction;
  /** Before a source changes, rests or goes. */
  deactivate?: AnyFunction;
}

/** A sentence at every hook that does not exist. */
export type HookMistakes<H> = {
  readonly [
    N in Exclude<keyof H, keyof Hooks>
  ]?: Mistake<`no hook is called ${N & string}: there are deploy, activate and deactivate`>;
};

/** A sentence instead of a strategy that does not exist. Text of any other kind is not known to be wrong. */
export type DedupeMistake<D> = D extends DedupeStrategy | undefined
  ? unknown
  : string extends D
    ? unknown
    : Mistake<"dedupe is unique, greatest or last">;

/** What identifies a component. */
export interface ComponentHead<N = string> {
  name: N;
  version: string;
  key?: string;
  description?: string;
  type?: "source";
}

/** Methods of a component or an app while a mistake keeps them from being known: quiet. */
// oxlint-disable-next-line typescript/no-explicit-any -- one mistake, one error
export type Unknown<K extends string> = { readonly [N in K]: any };

/** What components and mixins have in common. */
export interface ComponentBody<S, F, V, K extends string, M, H, D, E, X> {
  /** How events with the same id are dropped. */
  dedupe?: D & DedupeMistake<NoInfer<D>>;
  /** The type of the events; never read: `emits: {} as Order`. */
  emits?: E;
  /** An event for those who try the component. */
  sampleEmit?: X;
  props?: Props<S, F, V, K, unknown, K>;
  /** Props that depend on the values of others. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the author describes what it is given
  additionalProps?: ((previous: any) => unknown) | AnyFunction;
  methods?: M & { readonly [N in K]?: unknown };
  hooks?: H & Hooks & HookMistakes<NoInfer<H>>;
}

/** A component as an author writes it. */
export interface ComponentInput<N, S, F, V, K extends string, M, H, D, E, X>
  extends ComponentHead<N>, ComponentBody<S, F, V, K, M, H, D, E, X> {
  run(event: EventFor<Written<S, F>>): unknown;
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

/** Nothing is known of a component that spreads something untyped: not even its name was inferred. */
// oxlint-disable-next-line typescript/no-explicit-any -- nothing is known
type Self<N, I> = [N] extends [never] ? any : I;

/** Gives types to a component written as a plain object; at run time it is the object itself. */
export function defineComponent<
  N extends string = never,
  const F = None,
  S = None,
  V = PropFields<PropValues<F>>,
  K extends string = never,
  M extends object = Unknown<K>,
  H = None,
  const D = undefined,
  E = unknown,
  X = unknown,
>(
  component: ComponentInput<N, S, F, V, K, M, H, D, E, X> & ThisType<Self<N, Instance<Written<S, F>, M, D, E>>>,
): Component<Written<S, F>, M, H, D, E, X> {
  return component as unknown as Component<Written<S, F>, M, H, D, E, X>;
}
