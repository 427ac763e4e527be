import type { SourceConfig } from "./config.ts";

/** The account of an app prop. */
export interface AccountValue {
  readonly authProvisionId: string;
}

/** When a timer fires. */
export type TimerValue = { readonly intervalSeconds: number } | { readonly cron: string; readonly timezone?: string };

/** What requests to an endpoint have to prove. Other requests get 401, and the component never sees them. */
export interface HttpValue {
  /** Null takes the verification back. */
  readonly verify: {
    /** Such as `github`, `stripe` or `standard`, or `hmac` with its parameters. */
    readonly scheme: string;
    /** One, or up to four of which any will do. */
    readonly secret?: string | readonly string[];
    readonly [parameter: string]: string | number | readonly string[] | undefined;
  } | null;
}

interface GivenTypes {
  string: string;
  "string[]": readonly string[];
  integer: number;
  "integer[]": readonly number[];
  number: number;
  "number[]": readonly number[];
  boolean: boolean;
  "boolean[]": readonly boolean[];
  object: object;
  data_store: string;
  app: AccountValue;
  "$.interface.timer": TimerValue;
  "$.interface.http": HttpValue;
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
type Service = "$.interface.apphook" | "$.service.db" | "alert";

/**
 * True when a test or a config may leave the prop out: it is optional, has a default, or its value comes from elsewhere. The compiler keeps
 * no literal types of a plain object, so every prop of one may be left out.
 */
type IsFree<P> =
  string extends TypeOf<P>
    ? true
    : TypeOf<P> extends "$.interface.timer" | "$.interface.http" | "app"
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

/** The props that take accounts. */
type AppProps<Props> = { readonly [N in keyof Props]: TypeOf<Props[N]> extends "app" ? N : never }[keyof Props];

/** Where the compiler keeps no literal type of a prop, it may be one of an app. */
type MayBeApp<Props> = { readonly [N in keyof Props]: string extends TypeOf<Props[N]> ? N : never }[keyof Props];

/** The slugs of the apps of these props. */
type SlugsOf<P> = P extends { readonly app: infer Slug extends string } ? Slug : never;

type AccountNames<Props> = [MayBeApp<Props>] extends [never]
  ? (AppProps<Props> & string) | SlugsOf<Props[keyof Props]>
  : string;

/** The values of the props without accounts, which a config gives by their names in `accounts`. */
type WithoutAccounts<Component, Props> = Omit<PropsOf<Component>, AppProps<Props>>;

type PropsMember<P> = Partial<P> extends P ? { readonly props?: P } : { readonly props: P };

/**
 * A source of a component, for a config whose values the compiler checks:
 * `{ file: "./orders.ts", props: { currency: "EUR" } } satisfies SourceOf<typeof import("./orders.ts").default>`.
 */
export type SourceOf<Component> = Component extends { readonly props: infer Props }
  ? Omit<SourceConfig, "props" | "accounts"> &
      PropsMember<WithoutAccounts<Component, Props>> & {
        readonly accounts?: { readonly [appOrProp in AccountNames<Props>]?: string };
      }
  : SourceConfig;
