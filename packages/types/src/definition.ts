import type { Field, None } from "./field.ts";

/** The definition that `[app, "name", inputs]` refers to. One pattern per length: a pattern for both would be compared member by member. */
export type Definition<R> = R extends readonly [infer A, infer N]
  ? Resolved<Named<A, N>>
  : R extends readonly [infer A, infer N, infer _]
    ? Resolved<Named<A, N>>
    : unknown;

type Named<A, N> = Field<Field<A, None, "propDefinitions">, None, N>;

/** A definition merged with the one that it refers to. */
export type Resolved<D> = "propDefinition" extends keyof D
  ? Over<Omit<D, "propDefinition">, Definition<D["propDefinition"]>>
  : D;

type Over<D, B> = unknown extends B ? B : D & Omit<B, keyof D>;
