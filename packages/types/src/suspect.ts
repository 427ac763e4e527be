import type { Resolved } from "./definition.ts";
import type { Field, None } from "./field.ts";
import type { FieldName, FieldsOfTypes, PropType, SharedFields, ShortProp } from "./prop-fields.ts";
import type { Schedule } from "./timer.ts";
import type { ValueOf } from "./prop-values.ts";

type Flat<I> = { readonly [X in keyof I]: I[X] };

/** Fields that a correct prop of type `T` does not have, and references, which are compared with their definition. */
type Foreign<T extends PropType> = Exclude<FieldName, keyof FieldsOfTypes[T]> | "propDefinition";

/** Correct props, as one union with `type` as discriminant, so that a prop is compared with one member only. */
type InOrder = {
  readonly [T in PropType]: Flat<
    { type: T } & Omit<FieldsOfTypes[T], "type" | "propDefinition"> & { [X in Foreign<T>]?: never }
  >;
}[PropType];

interface AppInOrder {
  readonly type: "app";
  readonly app: string;
}

/** Fields that are allowed beside any reference. */
type PlainReference = SharedFields & { readonly [X in Exclude<FieldName, keyof SharedFields> | "type"]?: never };

/**
 * Never for a correct or untyped prop: a fast check, as most props are correct. `Unwritten` are the inputs of a reference
 * without inputs.
 */
export type Suspect<P, Unwritten> = P extends InOrder | AppInOrder | ShortProp | undefined
  ? never
  : "propDefinition" extends keyof P
    ? SuspectDefinition<P, P["propDefinition"], Unwritten>
    : string extends P
      ? never
      : true;

/** Checked for all props at once: unknown fields, and a default that is not one of the options. */
export type SuspectNames<P> = Exclude<NamesOf<P>, FieldName>;

type NamesOf<P> = P extends string | undefined
  ? never
  : "default" | "options" extends keyof P
    ? keyof P | NoChoice<Field<P, None, "default">, Field<P, None, "options">>
    : P extends { readonly type: "$.interface.timer"; readonly default: infer D }
      ? keyof P | ForeignToSchedule<D>
      : keyof P;

/** Unknown fields of a schedule. */
export type ForeignToSchedule<D> = D extends object ? Exclude<keyof D, keyof Schedule> : never;

type SuspectFields<P, T> = T extends PropType
  ? P extends FieldsOfTypes[T]
    ? keyof P extends keyof FieldsOfTypes[T]
      ? never
      : true
    : true
  : T extends "app"
    ? "app" extends keyof P
      ? P["app"] extends string
        ? never
        : true
      : true
    : true;

/** One pattern per length, as in `Definition`. */
type SuspectDefinition<P, R, Unwritten> = R extends readonly [infer A, infer N]
  ? SuspectReference<P, A, N, Unwritten>
  : R extends readonly [infer A, infer N, infer I]
    ? SuspectReference<P, A, N, I>
    : true;

type SuspectReference<P, A, N, I> = "propDefinitions" extends keyof A
  ? N extends keyof A["propDefinitions"]
    ?
        | (P extends PlainReference ? never : SuspectOver<P, Resolved<A["propDefinitions"][N]>>)
        | SuspectInputs<P, A["propDefinitions"][N], I>
    : true
  : true;

/** Never when the prop has its own options, which get no inputs, or when the inputs of the reference suffice. */
export type SuspectInputs<P, D, I> = "options" extends keyof P ? never : WrongInputs<Field<D, None, "options">, I>;

/** Only `default`, `options` and `type` can contradict the definition. */
type SuspectOver<P, B> = unknown extends B
  ? never
  :
      | SuspectFields<P, Field<P, B, "type">>
      | (keyof P & ("default" | "options" | "type") extends never ? never : Contradicts<P, B>);

type Contradicts<P, B> =
  | NoChoice<Field<P, B, "default">, Field<P, B, "options">>
  | Unfit<Field<P, B, "default">, Field<P, B, "type">>;

type One<D> = D extends readonly (infer I)[] ? I : D;

/** Never when the default's type is wider than the choices: it may be one of them. */
type NotAmong<D, V> = D extends V | null | undefined ? never : [Extract<V, D>] extends [never] ? true : never;

/** Never for a default that may be one of the choices. An empty list and a method are not checked. */
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

/** Fields that every options method gets. */
type Always = "page" | "prevContext" | "query";

/** Intersected with `object`, so that inputs without a common field are accepted. */
type Needed<Q> = object & { readonly [N in keyof Q as N extends Always ? never : N]: Q[N] | null | undefined };

/** An index signature requires no input. */
type NeededBy<O> = O extends (args: infer Q) => unknown ? (string extends keyof Q ? object : Needed<Q>) : object;

type Lacking<Given, Wanted> = unknown extends Given
  ? never
  : [Given] extends [Wanted | null | undefined]
    ? never
    : true;

type Given<I> = I extends (...args: never) => infer R ? Awaited<R> : I;

/** Enough when no input is required; does not evaluate the return type of a function. */
type Anything = (...args: never) => object & { readonly then?: never };

type Unsuitable<I, Wanted> = [object] extends [Wanted]
  ? I extends Anything
    ? never
    : Lacking<Given<I>, Wanted>
  : Lacking<Given<I>, Wanted>;

/** Never when the inputs `I` of a reference suffice for the options `O` of its definition. */
type WrongInputs<O, I> = Unsuitable<I, NeededBy<O>>;
