import type { None } from "./field.ts";
import type { PropMistakes } from "./prop-mistakes.ts";
import type { PropValues } from "./prop-values.ts";

/** A method with unknown types: callable with any arguments and type arguments. */
interface KnownByName {
  // oxlint-disable-next-line typescript/no-explicit-any -- only its name is known
  (...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unnecessary-type-parameters -- said above
  <_A>(...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unnecessary-type-parameters -- said above
  <_A, _B>(...args: any): any;
  // oxlint-disable-next-line typescript/no-explicit-any -- said above
  readonly [member: string]: any;
}

/**
 * `this` in option methods: the props, and the methods by name only. Option methods come before `methods` in the object,
 * so the compiler does not know the types of methods yet.
 */
export type OptionsThis<F, K extends string> = PropValues<F> & { readonly [N in K]: KnownByName };

/** No authored type extends it. */
export interface Unmatched {
  readonly unmatched: never;
}

/**
 * `F` is inferred prop by prop from the branch that is never taken, so that the inferred type is not compared with itself;
 * the author's object is only compared with the fields of a prop. Nothing is inferred for `V`, but as a `const` type
 * parameter it keeps literal types. An index signature, because its lookup is faster than one per prop.
 */
type Sites<F, V> = ([F] extends [object] ? unknown : { [N in keyof F]: F[N] }) & {
  readonly [name: string]: NoInfer<V>;
};

/**
 * Props as an author writes them. `S` is the inferred object. `F` is the same prop by prop, and known earlier: it types `this`
 * and the arguments of option methods. `V` are the fields of a prop, `K` the names of methods; no prop may have a name in
 * `Taken`; `Unwritten` are the inputs of a reference without inputs. `{}` ends the comparison: only `PropMistakes` reports
 * mistakes. It comes first, so that compilers print its message before they cut the text off.
 */
export type Props<S, F, V, K extends string, Self = unknown, Taken = never, Unwritten = None> = PropMistakes<
  S,
  Taken,
  Unwritten
> &
  ((([S] extends [Unmatched] ? S : unknown) & Sites<F, V> & ThisType<OptionsThis<F, K> & Self>) | {});

/** The author's props; prop by prop when the whole object cannot be inferred because of a mistake. */
export type Written<S, F> = keyof S extends never ? F : S;
