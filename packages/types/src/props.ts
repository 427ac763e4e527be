import type { None } from "./none.ts";
import type { PropMistakes } from "./prop-mistakes.ts";
import type { PropValues } from "./prop-values.ts";

/** A method of which only the name is known: called with anything, with type arguments too. */
interface KnownByName {
  // oxlint-disable-next-line typescript/no-explicit-any -- nothing but its name is known
  (...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unnecessary-type-parameters -- said above
  <_A>(...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unnecessary-type-parameters -- said above
  <_A, _B>(...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any -- said above
  readonly [member: string]: any;
}

/**
 * `this` in option methods: the props, and the methods by name. They stand before the methods they call, so that a
 * precise type would have to be known too early.
 */
export type OptionsThis<F, K extends string> = PropValues<F> & { readonly [N in K]: KnownByName };

/** No type that is written extends it. */
interface Unmatched {
  readonly unmatched: never;
}

/**
 * `F` is inferred prop by prop from the branch that is never taken, so that what was just inferred is not compared with
 * itself; all that is left for the author's object is the fields of a prop. Nothing is inferred for `V` from it, but it
 * is a `const` type parameter, so that literals stay what they are. Under every name, because that is looked up quicker
 * than prop by prop.
 */
type Sites<F, V> = ([F] extends [object] ? unknown : { [N in keyof F]: F[N] }) & {
  readonly [name: string]: NoInfer<V>;
};

/**
 * Props as an author writes them. `S` is what was written. `F` is the same prop by prop, and known earlier: there
 * `this` and the arguments of option methods come from. `V` are the fields of a prop, `K` the names of methods; names
 * in `Taken` no prop may have; `Unwritten` are the inputs of a reference that gives none. `{}` ends the comparison: only
 * `PropMistakes` says what is wrong, and stands first, so that compilers print its words before they cut a message off.
 */
export type Props<S, F, V, K extends string, Self = unknown, Taken = never, Unwritten = None> = PropMistakes<
  S,
  Taken,
  Unwritten
> &
  ((([S] extends [Unmatched] ? S : unknown) & Sites<F, V> & ThisType<OptionsThis<F, K> & Self>) | {});

/** The props that were written; by prop when a mistake keeps the whole from being known. */
export type Written<S, F> = keyof S extends never ? F : S;
