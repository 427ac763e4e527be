import type { NoChoice, Unfit } from "./default-mistake.ts";
import type { Resolved } from "./definition.ts";
import type { Field } from "./field.ts";
import type { None } from "./none.ts";
import type { FieldName, FieldsOfTypes, PropType, SharedFields, ShortProp } from "./prop-fields.ts";
import type { Schedule } from "./timer.ts";
import type { WrongInputs } from "./wrong-inputs.ts";

type Flat<I> = { readonly [X in keyof I]: I[X] };

/** Names that no prop in order of type `T` has, and the references, which are compared with what they refer to. */
type Foreign<T extends PropType> = Exclude<FieldName, keyof FieldsOfTypes[T]> | "propDefinition";

/** Fields of each type, and none of another: one union told apart by `type`, so that a prop is compared with one member. */
type InOrder = {
  readonly [T in PropType]: Flat<
    { type: T } & Omit<FieldsOfTypes[T], "type" | "propDefinition"> & { [X in Foreign<T>]?: never }
  >;
}[PropType];

interface AppInOrder {
  readonly type: "app";
  readonly app: string;
}

/** What a reference may have beside it, whatever it refers to. */
type PlainReference = SharedFields & { readonly [X in Exclude<FieldName, keyof SharedFields> | "type"]?: never };

/**
 * Never for a prop in order, or one about which nothing is known. The quick way: most props are in order. `Unwritten` are
 * the inputs of a reference that gives none.
 */
export type Suspect<P, Unwritten> = P extends InOrder | AppInOrder | ShortProp | undefined
  ? never
  : "propDefinition" extends keyof P
    ? SuspectDefinition<P, P["propDefinition"], Unwritten>
    : string extends P
      ? never
      : true;

/** What is looked for in all props at once: fields that no prop has, and a default that is none of the options. */
export type SuspectNames<P> = Exclude<NamesOf<P>, FieldName>;

type NamesOf<P> = P extends string | undefined
  ? never
  : "default" | "options" extends keyof P
    ? keyof P | NoChoice<Field<P, None, "default">, Field<P, None, "options">>
    : P extends { readonly type: "$.interface.timer"; readonly default: infer D }
      ? keyof P | ForeignToSchedule<D>
      : keyof P;

/** Names that a schedule does not have. */
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

/** Two exact patterns, as in `Definition`: a pattern for both would be compared member by member. */
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

/** Options of its own are called without inputs; what a definition inherits may have its inputs from there. */
export type SuspectInputs<P, D, I> = "options" extends keyof P ? never : WrongInputs<Field<D, None, "options">, I>;

/** Only these fields can contradict what is inherited. */
type SuspectOver<P, B> = unknown extends B
  ? never
  :
      | SuspectFields<P, Field<P, B, "type">>
      | (keyof P & ("default" | "options" | "type") extends never ? never : Contradicts<P, B>);

type Contradicts<P, B> =
  | NoChoice<Field<P, B, "default">, Field<P, B, "options">>
  | Unfit<Field<P, B, "default">, Field<P, B, "type">>;
