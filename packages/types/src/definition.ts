import type { Field } from "./field.ts";
import type { None } from "./none.ts";

/** What a reference such as `[app, "name", inputs]` refers to. A pattern for both lengths would be compared member by member. */
export type Definition<R> = R extends readonly [infer A, infer N]
  ? Resolved<Named<A, N>>
  : R extends readonly [infer A, infer N, infer _]
    ? Resolved<Named<A, N>>
    : unknown;

type Named<A, N> = Field<Field<A, None, "propDefinitions">, None, N>;

/** A definition with what it has from the definition to which it refers itself. */
export type Resolved<D> = "propDefinition" extends keyof D
  ? Over<Omit<D, "propDefinition">, Definition<D["propDefinition"]>>
  : D;

type Over<D, B> = unknown extends B ? B : D & Omit<B, keyof D>;
