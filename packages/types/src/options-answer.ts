import type { AnyFunction } from "./any-function.ts";

type Plain = string | number | boolean;

type Label = Plain | null | undefined;

/** One choice: a value, or a value with a label. */
export type Choice<Value> =
  | (unknown extends Value ? Plain : Value)
  | { readonly label?: Label; readonly value: Value | null | undefined };

/** The result of an options method: choices, or a page of choices with a context for the next page. */
type Answer<Value> = readonly Choice<Value>[] | { readonly options: readonly Choice<Value>[] };

/** An options method; only its result is checked. */
export type OptionsMethod<Value> = (...args: never) => Answer<Value> | PromiseLike<Answer<Value>>;

/** Never for a correct value and for `unknown`. */
type Wrong<Given, Right> = unknown extends Given ? never : Given extends Right ? never : true;

type WrongChoice<Given, Value> =
  Given extends Choice<Value>
    ? never
    : unknown extends Given
      ? never
      : "value" extends keyof Given
        ?
            | Wrong<Given["value"], Value | null | undefined>
            | ("label" extends keyof Given ? Wrong<Given["label"], Label> : never)
        : true;

type WrongList<Given, Value> = unknown extends Given
  ? never
  : Given extends readonly (infer Item)[]
    ? WrongChoice<Item, Value>
    : true;

type WrongAnswer<Given, Value> = unknown extends Given ? never : WrongPage<Given, Value>;

type WrongPage<Given, Value> = Given extends readonly unknown[]
  ? WrongList<Given, Value>
  : "options" extends keyof Given
    ? WrongList<Given["options"], Value>
    : true;

/** Never for a list of choices and a method that returns one. Unknown types count as correct. */
export type WrongOptions<Given, Value> = Given extends (...args: never) => infer Answered
  ? WrongAnswer<Awaited<Answered>, Value>
  : Given extends AnyFunction
    ? never
    : WrongList<Given, Value>;
