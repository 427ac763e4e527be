import type { Field, None } from "./field.ts";
import type { Mistake } from "./mistake.ts";
import type { PropMistakes } from "./prop-mistakes.ts";
import type { PropValue } from "./prop-values.ts";

type Given<V> = V extends (...args: never) => infer R ? Awaited<R> : V;

/** Values that can be checked: text, numbers, booleans, and lists of them. */
type Simple = string | number | boolean | readonly (string | number | boolean)[] | null | undefined;

type Wanted<V> = V extends readonly (infer I)[] ? readonly I[] : V;

/** Never when the value fits, and when its type is wider than the choices: it may be one of them. */
type Unfit<V, W> = unknown extends V
  ? never
  : [V] extends [W | null | undefined]
    ? never
    : [W] extends [Simple]
      ? [W] extends [V]
        ? never
        : true
      : never;

type WrongValue<V, P> = Unfit<Given<V>, Wanted<PropValue<P>>>;

/** Names of values without a prop of the action, or with one of another type. */
type WrongValues<G, P> = string extends keyof P
  ? never
  : { [N in keyof G]: N extends keyof P ? ([WrongValue<G[N], P[N]>] extends [never] ? never : N) : N }[keyof G];

type ValueMistakes<P, Wrong extends PropertyKey> = {
  readonly [N in Wrong]?: N extends keyof P
    ? Mistake<`this is not a value of prop ${N & string}`>
    : Mistake<`the action has no prop ${N & string}`>;
};

type ActionMistake<P, Wrong extends PropertyKey> = [Wrong] extends [never]
  ? unknown
  : { readonly props?: ValueMistakes<P, Wrong> };

type OwnMistake<M> = unknown extends M ? unknown : { readonly props?: M };

type StepMistake<E> = unknown extends E
  ? unknown
  : "action" extends keyof E
    ? "props" extends keyof E
      ? ActionMistake<Field<E["action"], None, "props">, WrongValues<E["props"], Field<E["action"], None, "props">>>
      : unknown
    : "props" extends keyof E
      ? "methods" extends keyof E
        ? unknown
        : OwnMistake<PropMistakes<E["props"], never, None>>
      : unknown;

type Wrong<A> = { readonly [I in keyof A]: unknown extends StepMistake<A[I]> ? never : I }[number & keyof A];

/** Messages for mistakes in the steps of a workflow, at the value or field. */
export type StepMistakes<A, Step> = [Wrong<A>] extends [never]
  ? unknown
  : { readonly [I in keyof A]: Step & StepMistake<A[I]> };
