import type { AuthOf } from "./auth.ts";
import type { DatabaseOf } from "./database.ts";
import type { DataStore } from "./data-store.ts";
import type { Definition } from "./definition.ts";
import type { Field, None } from "./field.ts";
import type { AnsweringHttpInterface, HttpInterface } from "./http.ts";
import type { AppHookInterface } from "./app-hook.ts";
import type { TimerInterface } from "./timer.ts";

interface Scalars {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly "$.discord.channel": string;
}

interface Lists {
  readonly "string[]": string;
  readonly "integer[]": number;
  readonly "number[]": number;
  readonly "boolean[]": boolean;
  readonly "$.discord.channel[]": string;
}

/** The value of a prop by its type; for lists the type of an item. */
export type ItemOf<T> = T extends keyof Scalars ? Scalars[T] : T extends keyof Lists ? Lists[T] : unknown;

/** The answer to the request of an `http_request` prop. */
export interface RequestAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of JSON, else the text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  readonly data: any;
}

/** The value of an `http_request` prop. */
export interface ConfiguredRequest {
  readonly method?: string;
  readonly url: string;
  /** Sends the request. Rejects for a status other than 2xx; the error has the `response`. */
  execute(): Promise<RequestAnswer>;
}

interface Open {
  readonly data_store: DataStore;
  readonly http_request: ConfiguredRequest;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  readonly object: { [key: string]: any };
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  readonly any: any;
}

/** An app prop inside a component: its methods, and the credentials of the account. */
export type AppInstance<A> = A &
  ("methods" extends keyof A ? A["methods"] : unknown) & { readonly $auth: AuthOf<Field<A, None, "app">> };

/** Props whose values come from the runtime. */
interface Services<P> {
  readonly "$.interface.timer": TimerInterface;
  readonly "$.interface.http": Field<P, None, "customResponse"> extends false | null | undefined
    ? HttpInterface
    : AnsweringHttpInterface;
  readonly "$.interface.apphook": AppHookInterface;
  readonly "$.service.db": DatabaseOf<P>;
  readonly app: AppInstance<P>;
  /** A folder of the run's own /tmp. */
  readonly dir: { readonly path: string };
  readonly alert: undefined;
}

/** The value of a choice, with or without a label. */
export type ValueOf<O> = O extends string | number ? O : "value" extends keyof O ? O["value" & keyof O] : O;

/** The union of literal choices, else `Base`. */
type Chosen<Options, Base> = Options extends readonly unknown[]
  ? ValueOf<Options[number]> extends infer V extends Base
    ? V
    : Base
  : Base;

/** `K` are the names of the present fields: comparing names is faster than looking fields up, and most are absent. */
type Choice<P, B, K, Base> = "withLabel" extends K
  ? Labelled<Field<P, B, "withLabel">, Chosen<Field<P, B, "options">, Base>>
  : "options" extends K
    ? Chosen<Field<P, B, "options">, Base>
    : Base;

type Labelled<L, V> = true extends L ? { label: string; value: V } : V;

/** May be undefined when it is optional and has neither a default nor a fixed value. */
type Optionally<P, B, K, V> = "optional" extends K
  ? Field<P, B, "optional"> extends true
    ? Field<P, B, "default" | "static"> extends undefined | null
      ? V | undefined
      : V
    : V
  : V;

type Typed<P, B, T, K = keyof P | keyof B> = T extends keyof Scalars
  ? Optionally<P, B, K, Choice<P, B, K, Scalars[T]>>
  : T extends keyof Lists
    ? Optionally<P, B, K, Choice<P, B, K, Lists[T]>[]>
    : T extends keyof Services<P>
      ? Services<P>[T]
      : T extends keyof Open
        ? Optionally<P, B, K, Open[T]>
        : // oxlint-disable-next-line typescript/no-explicit-any -- an unknown type is used unchecked
          any;

/** `any` for an untyped definition. */
type Inherited<P, B> = unknown extends B
  ? // oxlint-disable-next-line typescript/no-explicit-any -- untyped code is used unchecked
    any
  : Typed<P, B, Field<P, B, "type">>;

/** The type of `this.<prop>`. */
export type PropValue<P> = unknown extends P
  ? // oxlint-disable-next-line typescript/no-explicit-any -- untyped code is used unchecked
    any
  : P extends string
    ? P extends "$.service.db"
      ? DatabaseOf<P>
      : Typed<P, None, P>
    : "propDefinition" extends keyof P
      ? Inherited<P, Definition<P["propDefinition"]>>
      : Typed<P, None, "type" extends keyof P ? P["type"] : undefined>;

/** The props on `this`. */
export type PropValues<S> = { readonly [N in keyof S]: PropValue<S[N]> };
