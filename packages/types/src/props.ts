import type { PropMistakes } from "./prop-mistakes.ts";
import type { PropValues } from "./prop-values.ts";

/**
 * `this` in option methods: the props, and the methods by name. They stand before the methods they call, so that a
 * precise type would have to be known too early.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- methods are not known here, only their names
export type OptionsThis<F, K extends string> = PropValues<F> & { readonly [N in K]: any };

/**
 * Props as an author writes them. `S` is what was written. `F` is the same prop by prop, and known earlier: there
 * `this` and the arguments of option methods come from. `V` are the fields of a prop, `K` the names of methods; names
 * in `Taken` no prop may have.
 */
export type Props<S, F, V, K extends string, Self = unknown, Taken = never> = S & {
  // `{}` spares the comparison with what was just inferred
  [N in keyof F]: (F[N] & NoInfer<V>) | {};
} & PropMistakes<S, Taken> &
  ThisType<OptionsThis<NoInfer<F>, K> & Self>;

/** The props that were written; by prop when a mistake keeps the whole from being known. */
export type Written<S, F> = [keyof S] extends [never] ? F : S;
