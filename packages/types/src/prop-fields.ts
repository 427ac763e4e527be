import type { AnyFunction } from "./any-function.ts";
import type { Choice, OptionsMethod } from "./options-answer.ts";
import type { Schedule } from "./timer.ts";

/** The argument of an options method. */
export interface OptionsArguments {
  /** Page number, from 0. */
  readonly page: number;
  /** The `context` of the previous page; `{}` for the first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the author decides
  readonly prevContext: any;
  /** Inputs of the prop definition. */
  // oxlint-disable-next-line typescript/no-explicit-any -- values of other props
  readonly [input: string]: any;
}

/** Any text; editors suggest the known ones. */
type AnyOr<Known extends string> = Known | (string & Record<never, never>);

/** Makes the compiler infer a tuple, and types a function in it. */
interface Reference<Values> {
  readonly 0: unknown;
  readonly 1: unknown;
  readonly 2?: object | ((values: Values) => unknown);
}

/** The fields of any prop. One type for all props keeps checking fast; `PropMistakes` checks the rules of each type. */
export interface PropFields<Values> {
  readonly type?: AnyOr<keyof FieldsOfTypes | "app">;
  readonly label?: unknown;
  readonly description?: unknown;
  readonly optional?: unknown;
  readonly default?: unknown;
  /** Choices: a list, or a method that returns one. */
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
  /** The name of the app prop whose events an apphook gets. */
  readonly appProp?: unknown;
  /** Names of the events: a list, or a method that returns one. None: every event. */
  readonly eventNames?: readonly unknown[] | AnyFunction;
  /** `[app, name, inputs]`: a prop definition of an app; the other fields override its fields. */
  readonly propDefinition?: Reference<Values> | object;
  // oxlint-disable-next-line typescript/no-explicit-any -- `this` is typed where the app is used
  readonly propDefinitions?: object & ThisType<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `this` is typed where the app is used
  readonly methods?: object & ThisType<any>;
}

/** The names of all fields of props. */
export type FieldName = keyof PropFields<unknown>;

/** Fields of props of every type. */
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

interface ChannelFields<Default> extends InputFields<Default, string> {
  readonly appProp?: string;
}

interface DirFields extends SharedFields {
  readonly accessMode?: "read" | "write" | "read-write";
  readonly sync?: boolean;
}

interface AlertFields extends SharedFields {
  readonly alertType?: string;
  readonly content?: string;
}

interface TimerFields extends SharedFields {
  readonly default?: Schedule;
  readonly static?: Schedule;
}

/** Not a list: lists have an iterator. */
type Members = object & { readonly [Symbol.iterator]?: never };

interface Request {
  readonly method?: string;
  readonly url?: string;
}

interface HttpFields extends SharedFields {
  readonly customResponse?: boolean;
}

interface AppHookFields extends SharedFields {
  readonly appProp: string;
  readonly eventNames?: readonly (string | number)[] | AnyFunction;
  readonly static?: readonly (string | number)[];
}

/** The fields of a prop by its type. */
export interface FieldsOfTypes {
  readonly string: TextFields<Choice<string>>;
  readonly "string[]": TextFields<readonly Choice<string>[]>;
  readonly integer: NumberFields<Choice<number>>;
  readonly "integer[]": NumberFields<readonly Choice<number>[]>;
  readonly number: NumberFields<Choice<number>>;
  readonly "number[]": NumberFields<readonly Choice<number>[]>;
  readonly boolean: InputFields<Choice<boolean>, boolean>;
  readonly "boolean[]": InputFields<readonly Choice<boolean>[], boolean>;
  readonly object: InputFields<Members | string, unknown>;
  readonly any: InputFields<unknown, unknown>;
  readonly http_request: InputFields<Request, unknown>;
  readonly data_store: InputFields<string, string>;
  readonly "$.discord.channel": ChannelFields<string>;
  readonly "$.discord.channel[]": ChannelFields<readonly string[]>;
  readonly dir: DirFields;
  readonly alert: AlertFields;
  readonly "$.interface.timer": TimerFields;
  readonly "$.interface.http": HttpFields;
  readonly "$.interface.apphook": AppHookFields;
  readonly "$.service.db": SharedFields;
}

/** The types of props, apps excepted. */
export type PropType = keyof FieldsOfTypes;

/** Types that may stand for a whole prop. */
export type ShortProp = "$.interface.timer" | "$.interface.http" | "$.service.db";
