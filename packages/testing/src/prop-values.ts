/** An account of an app prop; harness accounts are named by their app. */
export interface AccountValue {
  readonly authProvisionId: string;
}

/** When a timer fires. */
export type TimerValue = { readonly intervalSeconds: number } | { readonly cron: string; readonly timezone?: string };

interface GivenTypes {
  string: string;
  "string[]": readonly string[];
  integer: number;
  "integer[]": readonly number[];
  boolean: boolean;
  "boolean[]": readonly boolean[];
  object: object;
  app: AccountValue;
  "$.interface.timer": TimerValue;
}

type Definition<A, N> = A extends { readonly propDefinitions: infer D }
  ? N extends keyof D
    ? D[N]
    : unknown
  : unknown;

/** A prop with what it inherits from its app. */
type Whole<P> = P extends { readonly propDefinition: readonly [infer A, infer N, ...unknown[]] }
  ? Omit<Definition<A, N>, keyof P> & P
  : P extends string
    ? { readonly type: P }
    : P;

type TypeOf<P> = Whole<P> extends { readonly type: infer T } ? T : unknown;

type ValueOf<P> = TypeOf<P> extends keyof GivenTypes ? GivenTypes[TypeOf<P>] : unknown;

/** Filled in by the runtime, or by nobody. */
type Service = "$.interface.http" | "$.service.db" | "alert";

/**
 * Nobody has to fill it in: it says so, has a default, or the harness does. Of a plain object the compiler keeps no
 * literals: nothing is known of such a prop.
 */
type IsFree<P> =
  string extends TypeOf<P>
    ? true
    : TypeOf<P> extends "$.interface.timer" | "app"
      ? true
      : Whole<P> extends { readonly optional: true } | { readonly default: unknown } | { readonly static: unknown }
        ? true
        : false;

type Given<Props> = { readonly [N in keyof Props as TypeOf<Props[N]> extends Service ? never : N]: Props[N] };

type ValuesOf<Props> = {
  readonly [N in keyof Props as IsFree<Props[N]> extends true ? never : N]: ValueOf<Props[N]>;
} & { readonly [N in keyof Props as IsFree<Props[N]> extends true ? N : never]?: ValueOf<Props[N]> };

/** The values that a component's props take: `PropsOf<typeof import("./feed.ts").default>`. */
export type PropsOf<Component> = Component extends { readonly props: infer Props }
  ? ValuesOf<Given<Props>>
  : { readonly [prop: string]: unknown };
