import type { Field } from "./field.ts";
import type { Mistake } from "./mistake.ts";
import type { None } from "./none.ts";
import type { FieldName, FieldsOfTypes, PropType, ShortProp } from "./prop-fields.ts";

/** Never for a prop in order, or one about which nothing is known. The quick way: most props are in order. */
type Suspect<P> = P extends string | undefined
  ? P extends ShortProp | undefined
    ? never
    : string extends P
      ? never
      : true
  : "propDefinition" extends keyof P
    ? SuspectDefinition<P, P["propDefinition"]>
    : "type" extends keyof P
      ? SuspectFields<P, P["type"]>
      : true;

type SuspectFields<P, T> = T extends PropType
  ? P extends FieldsOfTypes[T]
    ? keyof P extends keyof FieldsOfTypes[T]
      ? never
      : true
    : true
  : T extends "app"
    ? never
    : true;

/** Two exact patterns, as in `Definition`: a pattern for both would be compared member by member. */
type SuspectDefinition<P, R> = R extends readonly [infer A, infer N]
  ? SuspectReference<P, A, N>
  : R extends readonly [infer A, infer N, infer _]
    ? SuspectReference<P, A, N>
    : true;

type SuspectReference<P, A, N> = "propDefinitions" extends keyof A
  ? N extends keyof A["propDefinitions"]
    ? SuspectFields<P, Field<P, A["propDefinitions"][N], "type">>
    : true
  : true;

/** Words for what a field must be. */
interface Expected {
  readonly label: "text";
  readonly description: "text";
  readonly optional: "true or false";
  readonly hidden: "true or false";
  readonly disabled: "true or false";
  readonly reloadProps: "true or false";
  readonly withLabel: "true or false";
  readonly useQuery: "true or false";
  readonly remoteOptions: "true or false";
  readonly secret: "true or false";
  readonly customResponse: "true or false";
  readonly min: "a number";
  readonly max: "a number";
  readonly options: "a list or a method, with values of that type";
  readonly alertType: "text";
  readonly content: "text";
}

/** Words for what a default must be. */
interface ExpectedDefault {
  readonly string: "text";
  readonly "string[]": "a list of texts";
  readonly integer: "a number";
  readonly "integer[]": "a list of numbers";
  readonly boolean: "true or false";
  readonly "boolean[]": "a list of true and false";
  readonly object: "an object";
  readonly "$.discord.channel": "text";
  readonly "$.discord.channel[]": "a list of texts";
  readonly "$.interface.timer": "{ intervalSeconds } or { cron }";
}

type Words<T, X> = X extends "default" | "static"
  ? T extends keyof ExpectedDefault
    ? ExpectedDefault[T]
    : "of its type"
  : X extends keyof Expected
    ? Expected[X]
    : "of its type";

/** Types that have a field, in words, for the fields that are most often misplaced. */
interface Owner {
  readonly customResponse: "only $.interface.http props have customResponse";
  readonly secret: "only string props can be secret";
  readonly min: "only integer props have min";
  readonly max: "only integer props have max";
}

type WrongField<T extends PropType, X, V> = X extends keyof FieldsOfTypes[T]
  ? V extends FieldsOfTypes[T][X]
    ? unknown
    : Mistake<`${X & string} of a prop of type ${T} must be ${Words<T, X>}`>
  : X extends keyof Owner
    ? Mistake<Owner[X]>
    : X extends FieldName
      ? Mistake<`a prop of type ${T} has no ${X & string}`>
      : Mistake<`a prop has no field ${X & string}`>;

type FieldMistakes<P, T extends PropType> = { readonly [X in keyof P]?: WrongField<T, X, P[X]> };

type TypeMistake<T> = T extends `${"app" | "object" | "$.interface.http" | "$.interface.timer" | "$.service.db"}[]`
  ? { readonly type?: Mistake<`${T} does not exist: only string[], integer[] and boolean[] are lists`> }
  : { readonly type?: Mistake<`no prop type is called ${T & string}`> };

type Typed<P, T> = T extends PropType
  ? FieldMistakes<P, T>
  : T extends "app"
    ? unknown
    : string extends T
      ? unknown
      : T extends string
        ? TypeMistake<T>
        : T extends undefined
          ? { readonly type: Mistake<"a prop needs a type or a propDefinition"> }
          : unknown extends T
            ? unknown
            : { readonly type?: Mistake<'the type of a prop is text, as in "string"'> };

type Inherited<P, A, N> = unknown extends A
  ? unknown
  : string extends N
    ? unknown
    : "propDefinitions" extends keyof A
      ? N extends keyof A["propDefinitions"]
        ? "propDefinition" extends keyof A["propDefinitions"][N]
          ? unknown
          : Typed<P, Field<P, A["propDefinitions"][N], "type">>
        : string extends keyof A["propDefinitions"]
          ? unknown
          : { readonly propDefinition?: Mistake<`the app has no propDefinition called ${N & string}`> }
      : { readonly propDefinition?: Mistake<"the app has no propDefinitions"> };

type PropMistake<P> = unknown extends P
  ? unknown
  : P extends string | undefined
    ? P extends ShortProp | undefined
      ? unknown
      : string extends P
        ? unknown
        : Mistake<`the short forms of props are ${ShortProp}`>
    : P extends object
      ? "propDefinition" extends keyof P
        ? Inherited<P, Field<P["propDefinition"], None, "0">, Field<P["propDefinition"], None, "1">>
        : Typed<P, Field<P, None, "type">>
      : Mistake<"a prop is an object or the short form of a service">;

/** What is wrong with each of the props; `Taken` are the names of methods. */
type EachMistake<S, Taken> = {
  readonly [N in keyof S]: N extends Taken
    ? Mistake<`a method has the name ${N & string} too: this.${N & string} is the prop`>
    : PropMistake<S[N]>;
};

/** What is wrong with props although each field is of the right type: a sentence at the field. */
export type PropMistakes<S, Taken> = Suspect<S[keyof S]> | (keyof S & Taken) extends never
  ? unknown
  : S extends readonly unknown[] | string
    ? Mistake<"props is an object: a prop for each name">
    : EachMistake<NoInfer<S>, NoInfer<Taken>>;
