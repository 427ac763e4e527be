import type { AnyFunction } from "./any-function.ts";
import type { Choice, OptionsMethod } from "./options-answer.ts";
import type { Schedule } from "./timer.ts";

/** What an options method is called with. */
export interface OptionsArguments {
  /** Counts from 0. */
  readonly page: number;
  /** The `context` of the answer before; `{}` on the first page. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the author gave as context
  readonly prevContext: any;
  /** Inputs of the prop definition. */
  // oxlint-disable-next-line typescript/no-explicit-any -- values of other props
  readonly [input: string]: any;
}

/** Any text; the known ones are offered by editors. */
type AnyOr<Known extends string> = Known | (string & Record<never, never>);

/** Makes a tuple of the list, and gives types to a function in it. */
interface Reference<Values> {
  readonly 0: unknown;
  readonly 1: unknown;
  readonly 2?: object | ((values: Values) => unknown);
}

/** The fields of a prop while it is written. One type for all props keeps checking cheap; `PropMistakes` has the rules. */
export interface PropFields<Values> {
  readonly type?: AnyOr<keyof FieldsOfTypes | "app">;
  readonly label?: unknown;
  readonly description?: unknown;
  readonly optional?: unknown;
  readonly default?: unknown;
  /** Choices: a list, or a method that finds them. */
  readonly options?: readonly unknown[] | ((args: OptionsArguments) => unknown) | AnyFunction;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly secret?: unknown;
  readonly customResponse?: unknown;
  readonly static?: unknown;
  readonly hidden?: unknown;
  readonly disabled?: unknown;
  readonly reloadProps?: unknown;
  readonly withLabel?: unknown;
  readonly useQuery?: unknown;
  readonly remoteOptions?: unknown;
  readonly alertType?: unknown;
  readonly content?: unknown;
  readonly app?: unknown;
  /** `[app, name, inputs]`: a prop of an app; fields beside it override. */
  readonly propDefinition?: Reference<Values> | object;
  // oxlint-disable-next-line typescript/no-explicit-any -- `this` is typed where the app is used
  readonly propDefinitions?: object & ThisType<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `this` is typed where the app is used
  readonly methods?: object & ThisType<any>;
}

/** Every field that a prop may have. */
export type FieldName = keyof PropFields<unknown>;

/** Fields of every type. */
export interface SharedFields {
  readonly type?: string;
  readonly label?: string | null;
  readonly description?: string | null;
  readonly optional?: boolean | null;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
  readonly reloadProps?: boolean;
  readonly propDefinition?: unknown;
}

interface InputFields<Default, Value> extends SharedFields {
  readonly default?: Default | null;
  readonly static?: Default | null;
  readonly options?: readonly Choice<Value>[] | OptionsMethod<Value>;
  readonly withLabel?: boolean;
  readonly useQuery?: boolean;
  readonly remoteOptions?: boolean;
}

interface TextFields<Default> extends InputFields<Default, string> {
  readonly secret?: boolean;
}

interface NumberFields<Default> extends InputFields<Default, number> {
  readonly min?: number;
  readonly max?: number;
}

interface AlertFields extends SharedFields {
  readonly alertType?: string;
  readonly content?: string;
}

interface TimerFields extends SharedFields {
  readonly default?: Schedule;
  readonly static?: Schedule;
}

/** No list: only lists have an iterator. */
type Members = object & { readonly [Symbol.iterator]?: never };

interface Request {
  readonly method?: string;
  readonly url?: string;
}

interface HttpFields extends SharedFields {
  readonly customResponse?: boolean;
}

/** Which fields a prop of a type may have, and their values. */
export interface FieldsOfTypes {
  readonly string: TextFields<Choice<string>>;
  readonly "string[]": TextFields<readonly Choice<string>[]>;
  readonly integer: NumberFields<Choice<number>>;
  readonly "integer[]": NumberFields<readonly Choice<number>[]>;
  readonly boolean: InputFields<Choice<boolean>, boolean>;
  readonly "boolean[]": InputFields<readonly Choice<boolean>[], boolean>;
  readonly object: InputFields<Members | string, unknown>;
  readonly any: InputFields<unknown, unknown>;
  readonly http_request: InputFields<Request, unknown>;
  readonly "$.discord.channel": InputFields<string, string>;
  readonly "$.discord.channel[]": InputFields<readonly string[], string>;
  readonly alert: AlertFields;
  readonly "$.interface.timer": TimerFields;
  readonly "$.interface.http": HttpFields;
  readonly "$.service.db": SharedFields;
}

/** Every value that the field `type` of a prop may have; an app has a definition of its own. */
export type PropType = keyof FieldsOfTypes;

/** A prop may be written as its type alone. */
export type ShortProp = "$.interface.timer" | "$.interface.http" | "$.service.db";
