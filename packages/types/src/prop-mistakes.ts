import type { AnyFunction } from "./any-function.ts";
import type { Resolved } from "./definition.ts";
import type { Field, None } from "./field.ts";
import type { Mistake } from "./mistake.ts";
import type { Owner, Words } from "./mistake-words.ts";
import type { WrongOptions } from "./options-answer.ts";
import type { FieldName, FieldsOfTypes, PropType, ShortProp } from "./prop-fields.ts";
import type { ItemOf } from "./prop-values.ts";
import type { ForeignToSchedule, NoChoice, Suspect, SuspectInputs, SuspectNames, Unfit } from "./suspect.ts";

type OptionsMistake<T extends PropType, O> = [WrongOptions<O, ItemOf<T>>] extends [never]
  ? unknown
  : O extends AnyFunction
    ? Mistake<`options of a prop of type ${T} must return a list of values of that type or of { label, value }, or { options, context }`>
    : Mistake<`options of a prop of type ${T} must be a list or a method, with values of that type`>;

type DefaultMistake<D, O> = [NoChoice<D, O>] extends [never]
  ? unknown
  : Mistake<"default of a prop with options must be one of them">;

/** A message at every unknown field of a schedule. */
type ScheduleMistake<T, D> = T extends "$.interface.timer"
  ? [ForeignToSchedule<D>] extends [never]
    ? unknown
    : {
        readonly [
          N in ForeignToSchedule<D>
        ]?: Mistake<`a schedule has no ${N & string}: it is { intervalSeconds } or { cron, timezone }`>;
      }
  : unknown;

/** The message for field `X` with value `V` of a prop of type `T`, or `unknown`. `D` is the default, `O` the options. */
type WrongField<T extends PropType, X, V, D, O> = X extends keyof FieldsOfTypes[T]
  ? V extends FieldsOfTypes[T][X]
    ? X extends "default"
      ? DefaultMistake<D, O> & ScheduleMistake<T, D>
      : unknown
    : X extends "options"
      ? OptionsMistake<T, V>
      : Mistake<`${X & string} of a prop of type ${T} must be ${Words<T, X>}`>
  : X extends keyof Owner
    ? Mistake<Owner[X]>
    : X extends FieldName
      ? Mistake<`a prop of type ${T} has no ${X & string}`>
      : Mistake<`a prop has no field ${X & string}`>;

type FieldMistakes<P, B, T extends PropType> = {
  readonly [X in keyof P]?: WrongField<T, X, P[X], Field<P, B, "default">, Field<P, B, "options">>;
} & ("default" extends keyof P ? unknown : InheritedDefault<Field<B, None, "default">, Field<P, None, "options">, T>);

/** The message for an inherited default that does not fit the type or the options, at the author's field. */
type InheritedDefault<D, O, T> = [Unfit<D, T>] extends [never]
  ? [NoChoice<D, O>] extends [never]
    ? unknown
    : { readonly options?: Mistake<"the inherited default is none of these options: write another default"> }
  : { readonly type?: Mistake<`the inherited default must be ${Words<T, "default">}: write another default`> };

type AppMistake<P> =
  Field<P, None, "app"> extends string
    ? unknown
    : "app" extends keyof P
      ? { readonly app: Mistake<"app is the slug of an app, as text"> }
      : { readonly type: Mistake<"a prop of type app needs app, the slug of an app"> };

type TypeMistake<T> =
  T extends `${"app" | "object" | "data_store" | "$.interface.http" | "$.interface.timer" | "$.interface.apphook" | "$.service.db"}[]`
    ? { readonly type?: Mistake<`${T} does not exist: only string[], integer[], number[] and boolean[] are lists`> }
    : { readonly type?: Mistake<`no prop type is called ${T & string}`> };

type Typed<P, B, T> = T extends PropType
  ? FieldMistakes<P, B, T>
  : T extends "app"
    ? AppMistake<P>
    : string extends T
      ? unknown
      : T extends string
        ? TypeMistake<T>
        : T extends undefined
          ? { readonly type: Mistake<"a prop needs a type or a propDefinition">; readonly [field: string]: unknown }
          : unknown extends T
            ? unknown
            : { readonly type?: Mistake<'the type of a prop is text, as in "string"'> };

type Inherited<P, A, N, I> = unknown extends A
  ? unknown
  : N extends string
    ? string extends N
      ? unknown
      : Known<P, A, N, I>
    : unknown extends N
      ? unknown
      : NoReference;

interface NoReference {
  readonly propDefinition?: Mistake<"a propDefinition is [app, name] or [app, name, inputs]">;
}

type Known<P, A, N extends string, I> = "propDefinitions" extends keyof A
  ? N extends keyof A["propDefinitions"]
    ? Over<P, Resolved<A["propDefinitions"][N]>> & InputsMistake<P, A["propDefinitions"][N], N, I>
    : string extends keyof A["propDefinitions"]
      ? unknown
      : { readonly propDefinition?: Mistake<`the app has no propDefinition called ${N}`> }
  : { readonly propDefinition?: Mistake<"the app has no propDefinitions"> };

type InputsMistake<P, D, N extends string, I> = [SuspectInputs<P, D, I>] extends [never]
  ? unknown
  : { readonly propDefinition?: Mistake<`${N} needs inputs that fit its options: [app, name, inputs]`> };

/** Not checked when the definition itself has a mistake. */
type Over<P, B> = unknown extends B ? unknown : Typed<P, B, Field<P, B, "type">>;

/** Not checked for a list that is not a tuple. */
type Referring<P, R, Unwritten> = R extends readonly unknown[]
  ? number extends R["length"]
    ? unknown
    : Inherited<P, Field<R, None, "0">, Field<R, None, "1">, "2" extends keyof R ? Field<R, None, "2"> : Unwritten>
  : NoReference;

type PropMistake<P, Unwritten> = unknown extends P
  ? unknown
  : P extends string | undefined
    ? P extends ShortProp | undefined
      ? unknown
      : string extends P
        ? unknown
        : Mistake<`the short forms of props are ${ShortProp}`>
    : P extends object
      ? "propDefinition" extends keyof P
        ? Referring<P, P["propDefinition"], Unwritten>
        : Typed<P, None, Field<P, None, "type">>
      : Mistake<"a prop is an object or the short form of a service">;

/** The messages by prop. `Taken` are the names of methods and of the runtime. */
type EachMistake<S, Taken, Unwritten> = {
  readonly [N in keyof S]: N extends Taken
    ? N extends `$${string}`
      ? Mistake<`a prop has no name that begins with $, such as ${N}: these are names of the runtime, such as $emit`>
      : Mistake<`a method has the name ${N & string} too: this.${N & string} is the prop`>
    : PropMistake<S[N], Unwritten>;
};

/** Messages for mistakes in props, at the field; `unknown` when there are none. */
export type PropMistakes<S, Taken, Unwritten> =
  | Suspect<S[keyof S], Unwritten>
  | SuspectNames<S[keyof S]>
  | (keyof S & Taken) extends never
  ? unknown
  : S extends readonly unknown[] | string
    ? Mistake<"props is an object: a prop for each name">
    : EachMistake<NoInfer<S>, NoInfer<Taken>, Unwritten>;
