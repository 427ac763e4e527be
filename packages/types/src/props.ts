import type { PropType, ShortProp } from "./values.ts";

/** What an options method is called with. */
export interface OptionsArguments {
  /** Counts from 0. */
  readonly page: number;
  /** The `context` of the answer before. */
  readonly prevContext?: { readonly [key: string]: unknown };
}

type Choice = string | number | boolean | { readonly label: string; readonly value: unknown };

/** Choices: a list, or a method that finds them. */
type Options = readonly Choice[] | ((args: OptionsArguments) => unknown);

/** Any text; known ones are offered by editors. `PropsProblems` refuses the others, at the right line. */
type AnyOr<Known extends string> = Known | (string & Record<never, never>);

/** The fields of a prop definition. One interface for all types keeps checking cheap; `PropsProblems` has the rules. */
export interface PropFields {
  readonly type?: AnyOr<PropType | "app">;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly options?: Options;
  readonly min?: number;
  readonly max?: number;
  readonly secret?: boolean;
  readonly customResponse?: boolean;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
  readonly reloadProps?: boolean;
  readonly withLabel?: boolean;
  readonly useQuery?: boolean;
  readonly static?: unknown;
  readonly alertType?: string;
  readonly content?: string;
  readonly propDefinition?: readonly [app: object, name: string, inputs?: unknown];
  readonly app?: string;
  readonly propDefinitions?: object;
  readonly methods?: object;
}

/** One prop as it is written. */
export type PropInput = PropFields | AnyOr<ShortProp>;

/**
 * Where the props are inferred from: each whole (S), and field by field (F), so that a function among the
 * fields that needs `this` does not hide the others.
 */
export type Sites<S, F> = { [N in keyof S]: S[N] } & { [N in keyof F]: { [X in keyof F[N]]: F[N][X] } };

/**
 * `this` in option methods. They come before the methods they call, so that a precise type would be fixed too early
 * and make those calls errors.
 */
// oxlint-disable-next-line typescript/no-explicit-any typescript/no-generated-empty-object-type
export type OptionsThis = ThisType<any>;

/** The props as they were inferred. */
export type Inferred<S, F> = {
  readonly [N in keyof S]: unknown extends S[N] ? (N extends keyof F ? F[N] : unknown) : S[N];
};

/** A sentence where a type would be: the compiler prints it. */
export interface Mistake<Text extends string> {
  readonly mistake: Text;
}

type TypeOf<P> = P extends { readonly type: infer T } ? T : undefined;

type Only<P, Field extends string, Types extends string> = Field extends keyof P
  ? TypeOf<P> extends Types
    ? unknown
    : { readonly [X in Field]?: Mistake<`only a prop of type ${Types} can have ${Field}`> }
  : unknown;

type UnknownField<P> = { readonly [X in Exclude<keyof P, keyof PropFields>]?: Mistake<`unknown field ${X & string}`> };

type TimerDefault<P> = P extends { readonly type: "$.interface.timer"; readonly default: infer D }
  ? D extends { readonly intervalSeconds: number } | { readonly cron: string }
    ? unknown
    : { readonly default?: Mistake<"a timer's default is { intervalSeconds } or { cron }"> }
  : unknown;

type Definition<P> = P extends { readonly propDefinition: readonly [infer A, infer N, ...unknown[]] }
  ? A extends { readonly propDefinitions: infer D }
    ? N extends keyof D
      ? unknown
      : { readonly propDefinition?: Mistake<`the app has no prop definition ${N & string}`> }
    : { readonly propDefinition?: Mistake<"the app has no propDefinitions"> }
  : TypeOf<P> extends undefined
    ? { readonly type: Mistake<"a prop needs a type or a propDefinition"> }
    : unknown;

type UnknownType<P> = TypeOf<P> extends PropType | undefined ? unknown : { readonly type?: PropType };

type Problems<P> = P extends string
  ? P extends ShortProp
    ? unknown
    : Mistake<`the short forms are ${ShortProp}`>
  : TypeOf<P> extends "app"
    ? unknown
    : UnknownField<P> &
        UnknownType<P> &
        Definition<P> &
        TimerDefault<P> &
        Only<P, "customResponse", "$.interface.http"> &
        Only<P, "secret", "string">;

/** What is wrong with props although each field is of the right type. */
export type PropsProblems<P> = { readonly [N in keyof P]: Problems<P[N]> };
