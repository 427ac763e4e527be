import type { AnyFunction } from "./any-function.ts";
import type { DedupeStrategy } from "./emit.ts";
import type { Mistake } from "./mistake.ts";

/** A sentence instead of a strategy that does not exist. Text of any other kind is not known to be wrong. */
export type DedupeMistake<D> = D extends DedupeStrategy | undefined
  ? unknown
  : string extends D
    ? unknown
    : Mistake<"dedupe is unique, greatest or last">;

/** A sentence for what is no source. Text of any other kind is not known to be wrong. */
export type KindMistake<T> = T extends "source" | undefined
  ? unknown
  : string extends T
    ? unknown
    : Mistake<"the type of a component is source; an action is made with defineAction">;

/** A sentence for `additionalProps` that are no method, or return something else than props by name. */
export type AddedMistake<A> = A extends (...args: never) => infer R
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
