import type { Component, ComponentBody, ComponentHead, Unknown } from "./component.ts";
import type { EventFor } from "./event.ts";
import type { Instance } from "./instance.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { None } from "./field.ts";
import type { Written } from "./props.ts";

/** A part of a component as an author writes it. */
export interface MixinInput<S, F, V, K extends string, M, H, A, D, E, X>
  extends Partial<ComponentHead>, ComponentBody<S, F, V, K, M, H, A, D, E, X> {
  run?(event: EventFor<Written<S, F>>): unknown;
}

interface Parts<S, M, H, A, D, E, X> extends Required<Component<S, M, H, D, E, X>> {
  readonly additionalProps: A;
}

/** A part of a component as other modules see it: exactly its own fields, for spreading. */
export type Mixin<C extends string, S, M, H, A, D, E, X> = {
  readonly [N in C]: N extends keyof Parts<S, M, H, A, D, E, X> ? Parts<S, M, H, A, D, E, X>[N] : unknown;
};

/** Members of the component that spreads the mixin are unknown here. */
// oxlint-disable-next-line typescript/no-explicit-any -- said above
type FromComponent = { readonly [name: string]: any };

/** Types a part that several components spread. Returns the object that it gets. */
export function defineMixin<
  C extends string,
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
  mixin: { readonly [N in C]?: unknown } & MixinInput<S, F, V, K, M, H, A, D, E, X> &
    ThisType<Instance<Written<S, F>, M, D, E> & FromComponent>,
): Mixin<C, Written<S, F>, M, H, A, D, E, X> {
  return mixin as unknown as Mixin<C, Written<S, F>, M, H, A, D, E, X>;
}
