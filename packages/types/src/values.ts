import type { Auth, Database, HttpInterface, TimerInterface } from "./services.ts";

/** Types of props that a user fills in, and what `this.<prop>` then is. */
export interface InputTypes {
  string: string;
  "string[]": string[];
  integer: number;
  "integer[]": number[];
  boolean: boolean;
  "boolean[]": boolean[];
  object: { [key: string]: unknown };
  any: unknown;
}

/** Types of props that the runtime fills in. */
export interface ServiceTypes {
  "$.interface.timer": TimerInterface;
  "$.interface.http": HttpInterface;
  "$.service.db": Database;
}

type Known = InputTypes & ServiceTypes & { alert: undefined };

/** Every value that the field `type` of a prop may have; an app has a definition of its own. */
export type PropType = keyof Known;

/** A prop may be written as its type alone. */
export type ShortProp = keyof ServiceTypes;

/** An app object inside a component: its methods, and the credentials of the account. */
export type AppInstance<A> = (A extends { readonly methods: infer M } ? M : unknown) & { readonly $auth: Auth };

type TypeValue<T> = T extends keyof Known ? Known[T] : unknown;

/** Absent when nobody filled it in; a default fills it in. */
type Optionally<P, V> = P extends { readonly default: unknown }
  ? V
  : P extends { readonly optional: true }
    ? V | undefined
    : V;

type Definition<A, N> = A extends { readonly propDefinitions: infer D }
  ? N extends keyof D
    ? D[N]
    : unknown
  : unknown;

type Override<Base, P> = Omit<Base, keyof P> & P;

/** What `this.<prop>` is for one declared prop. */
export type PropValue<P> = P extends ShortProp
  ? ServiceTypes[P]
  : P extends { readonly type: "app" }
    ? AppInstance<P>
    : P extends { readonly propDefinition: readonly [infer A, infer N, ...unknown[]] }
      ? PropValue<Override<Definition<A, N>, Omit<P, "propDefinition">>>
      : P extends { readonly type: infer T }
        ? Optionally<P, TypeValue<T>>
        : unknown;

/** All props as they are found on `this`. */
export type PropValues<P> = { readonly [N in keyof P]: PropValue<P[N]> };
