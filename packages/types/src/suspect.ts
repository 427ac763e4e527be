import type { NoChoice, Unfit } from "./default-mistake.ts";
import type { Resolved } from "./definition.ts";
import type { Field } from "./field.ts";
import type { None } from "./none.ts";
import type { FieldsOfTypes, PropType, ShortProp } from "./prop-fields.ts";
import type { WrongInputs } from "./wrong-inputs.ts";

/**
 * Never for a prop in order, or one about which nothing is known. The quick way: most props are in order. `Unwritten` are
 * the inputs of a reference that gives none.
 */
export type Suspect<P, Unwritten> = P extends string | undefined
  ? P extends ShortProp | undefined
    ? never
    : string extends P
      ? never
      : true
  : "propDefinition" extends keyof P
    ? SuspectDefinition<P, P["propDefinition"], Unwritten>
    : "type" extends keyof P
      ? SuspectFields<P, P["type"]> | SuspectDefault<P>
      : true;

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

type SuspectDefault<P> = "default" extends keyof P
  ? "options" extends keyof P
    ? NoChoice<P["default"], P["options"]>
    : never
  : never;

/** Two exact patterns, as in `Definition`: a pattern for both would be compared member by member. */
type SuspectDefinition<P, R, Unwritten> = R extends readonly [infer A, infer N]
  ? SuspectReference<P, A, N, Unwritten>
  : R extends readonly [infer A, infer N, infer I]
    ? SuspectReference<P, A, N, I>
    : true;

type SuspectReference<P, A, N, I> = "propDefinitions" extends keyof A
  ? N extends keyof A["propDefinitions"]
    ? SuspectOver<P, Resolved<A["propDefinitions"][N]>> | SuspectInputs<P, A["propDefinitions"][N], I>
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
