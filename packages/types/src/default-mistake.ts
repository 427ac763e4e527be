import type { Field } from "./field.ts";
import type { None } from "./none.ts";
import type { FieldsOfTypes } from "./prop-fields.ts";
import type { ValueOf } from "./prop-values.ts";

type One<D> = D extends readonly (infer I)[] ? I : D;

/** What is wider than the choices may be one of them. */
type NotAmong<D, V> = D extends V | null | undefined ? never : [Extract<V, D>] extends [never] ? true : never;

/** Never for a default that may be one of the choices. An empty list is none; what a method finds is not known. */
export type NoChoice<D, O> = O extends readonly []
  ? never
  : O extends readonly (infer C)[]
    ? NotAmong<ValueOf<One<D>>, ValueOf<C>>
    : never;

/** Never when a prop of type `T` may have this default. */
export type Unfit<D, T> = T extends keyof FieldsOfTypes
  ? D extends Field<FieldsOfTypes[T], None, "default">
    ? never
    : true
  : never;
