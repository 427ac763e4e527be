import type { AnyFunction } from "./any-function.ts";
import type { AddedMistake, DedupeMistake, KindMistake } from "./component-mistakes.ts";
import type { EventFor } from "./event.ts";
import type { HookMistakes, Hooks } from "./hooks.ts";
import type { ComponentThis, ComponentWords } from "./instance.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./none.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Props, Written } from "./props.ts";

/** What identifies a component. */
export interface ComponentHead<T = "source"> {
  name: string;
  version: string;
  key?: string;
  description?: string;
  type?: T & KindMistake<NoInfer<T>>;
  /** What tools say about it; the runtime does not read it. */
  annotations?: object;
}

/** Methods of a component or an app while a mistake keeps them from being known: quiet. */
// oxlint-disable-next-line typescript/no-explicit-any -- one mistake, one error
export type Unknown<K extends string> = { readonly [N in K]: any };

/** What components and mixins have in common. */
export interface ComponentBody<S, F, V, K extends string, M, H, A, D, E, X, C = never> {
  /** How events with the same id are dropped. */
  dedupe?: D & DedupeMistake<NoInfer<D>>;
  /** True: a `run` that throws leaves nothing, neither what it emitted before nor what it wrote to its db. */
  transactional?: boolean | undefined;
  /** The type of the events; never read: `emits: {} as Order`. */
  emits?: E;
  /** An event for those who try the component. */
  sampleEmit?: X;
  props?: Props<S, F, V, K, UnlessMisnamed<C, Misses, unknown>, K | `$${string}`>;
  /** Props that depend on the values of others. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the author describes what it is given
  additionalProps?: A & AddedMistake<NoInfer<A>> & (((previous: any) => unknown) | AnyFunction);
  methods?: M & { readonly [N in K]?: unknown };
  hooks?: H & Hooks & HookMistakes<NoInfer<H>>;
}

/** A component as an author writes it. What it needs stands apart: where that is misspelt, the rest is known nevertheless. */
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

/** What no component can do without. */
type Needed = "name" | "version" | "run";

/** Names that are written for those of fields. */
interface Misses {
  readonly hook: "hooks";
  readonly method: "methods";
  readonly prop: "props";
  readonly properties: "props";
  readonly additionalProp: "additionalProps";
}

/** Nothing is known of a component that spreads something untyped: not even the names of its fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- nothing is known
type Self<C, I> = [C] extends [never] ? any : UnlessMisnamed<C, Misses, I>;

/** Gives types to a component written as a plain object; at run time it is the object itself. */
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
  E = unknown,
  X = unknown,
>(
  component: ComponentInput<T, S, F, V, K, M, H, A, D, E, X, C> &
    Names<C, Needed, Misses> &
    ThisType<Self<C, ComponentThis<ComponentWords, Written<S, F>, M, D, E, C>>>,
): Component<Written<S, F>, M, H, D, E, X> {
  return component as unknown as Component<Written<S, F>, M, H, D, E, X>;
}
