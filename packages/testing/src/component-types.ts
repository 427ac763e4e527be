import type { Json } from "@x/runtime";
import type { Emits } from "@x/types";

/** The account of an app prop. In the harness the id of an account is the name of its app. */
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

/** A prop merged with the definition of its app that it refers to. */
type Whole<P> = P extends { readonly propDefinition: readonly [infer A, infer N, ...unknown[]] }
  ? Omit<Definition<A, N>, keyof P> & P
  : P extends string
    ? { readonly type: P }
    : P;

type TypeOf<P> = Whole<P> extends { readonly type: infer T } ? T : unknown;

type ValueOf<P> = TypeOf<P> extends keyof GivenTypes ? GivenTypes[TypeOf<P>] : unknown;

/** Props without a configured value. */
type Service = "$.interface.http" | "$.service.db" | "alert";

/**
 * True when the test may leave the prop out: it is optional, has a default, or the harness has a value. The compiler keeps
 * no literal types of a plain object, so every prop of one may be left out.
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

/** The type of a component's events: that of its `emits` or `sampleEmit`, else any JSON. */
export type EmittedEvent<Component> = 0 extends 1 & Component
  ? Json
  : unknown extends Emits<Component>
    ? Json
    : Emits<Component>;
