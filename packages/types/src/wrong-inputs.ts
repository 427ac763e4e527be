/** What the runtime gives to every options method. */
type Always = "page" | "prevContext" | "query";

/** An object, so that no field in common is no mistake. */
type Needed<Q> = object & { readonly [N in keyof Q as N extends Always ? never : N]: Q[N] | null | undefined };

/** An index signature tells of no input. */
type NeededBy<O> = O extends (args: infer Q) => unknown ? (string extends keyof Q ? object : Needed<Q>) : object;

type Lacking<Given, Wanted> = unknown extends Given
  ? never
  : [Given] extends [Wanted | null | undefined]
    ? never
    : true;

type Given<I> = I extends (...args: never) => infer R ? Awaited<R> : I;

/** Enough where nothing is needed: told without looking into what a function gives. */
type Anything = (...args: never) => object & { readonly then?: never };

type Unsuitable<I, Wanted> = [object] extends [Wanted]
  ? I extends Anything
    ? never
    : Lacking<Given<I>, Wanted>
  : Lacking<Given<I>, Wanted>;

/** Never when the inputs `I` of a reference give what the options `O` of its definition are called with. */
export type WrongInputs<O, I> = Unsuitable<I, NeededBy<O>>;
