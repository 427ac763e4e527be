import type { Kit } from "../kit.ts";
import {
  type Argument,
  type AskIntl,
  numberArgument,
  type Options,
  readOptions,
  textArgument,
} from "./intl-arguments.ts";
import { type Kind, kinds } from "./intl-kinds.ts";
import { type BoundMethods, createLocale, type Locale } from "./intl-locale.ts";

function readLocales(given: unknown, LocaleType: typeof Locale): string[] {
  if (given === undefined) return [];
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  if (typeof given === "string" || given instanceof LocaleType) return [String(given)];
  return Array.from(given as ArrayLike<unknown>, (item) => {
    if (typeof item !== "string" && (typeof item !== "object" || item === null))
      throw new TypeError("Incorrect locale information provided");
    return String(item);
  });
}

interface Segment {
  readonly segment: string;
  readonly index: number;
  readonly isWordLike?: boolean;
}

/** The result of `Intl.Segmenter.segment`: the host has segmented the whole text. */
function createSegments(input: string, found: readonly Segment[]): object {
  const shown = ({ segment, index, ...rest }: Segment): object => ({ segment, index, input, ...rest });
  return {
    containing(given?: unknown) {
      const index = Math.trunc(Number(given)) || 0;
      const segment = found.find((each) => index >= each.index && index < each.index + each.segment.length);
      return segment && shown(segment);
    },
    *[Symbol.iterator]() {
      for (const segment of found) yield shown(segment);
    },
  };
}

interface State {
  readonly kind: string;
  readonly locales: readonly string[];
  readonly options: Options;
  readonly resolved: Options;
  /** The shared head of all calls, by method. */
  readonly heads: Record<string, string>;
}

const hidden = (target: object, name: PropertyKey, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
};
const tagged = (target: object, tag: string): void => {
  Object.defineProperty(target, Symbol.toStringTag, { value: tag, configurable: true });
};

type AskFor = (kind: string, locales: unknown, options: unknown, method: string, args: Argument[]) => unknown;

function createLocaleMethods(ask: AskIntl, askFor: AskFor, locales: (given: unknown) => string[]): BoundMethods {
  const dateMethod =
    (method: string) =>
    (self: unknown, [given, options]: unknown[]): unknown => {
      const ms = Date.prototype.getTime.call(self as Date);
      if (Number.isNaN(ms)) return "Invalid Date";
      return askFor("Date", given, options, method, [["n", String(ms)]]);
    };
  const numberMethod = (self: unknown, [given, options]: unknown[]): unknown =>
    askFor("NumberFormat", given, options, "format", [numberArgument(self)]);
  const caseMethod =
    (method: string) =>
    (self: unknown, [given]: unknown[]): unknown =>
      ask("String", locales(given), {}, method, [textArgument(self)]);
  return {
    toLocaleString: dateMethod("toLocaleString"),
    toLocaleDateString: dateMethod("toLocaleDateString"),
    toLocaleTimeString: dateMethod("toLocaleTimeString"),
    numberToLocaleString: numberMethod,
    toLocaleUpperCase: caseMethod("toLocaleUpperCase"),
    toLocaleLowerCase: caseMethod("toLocaleLowerCase"),
    localeCompare: (self, [other, given, options]) =>
      askFor("Collator", given, options, "compare", [textArgument(self), textArgument(other)]),
  };
}

/** `Intl`: objects and argument reading are here; the host computes every result. */
export default (kit: Kit): { Intl: object; localeMethods: BoundMethods } => {
  const headOf = (...head: readonly [string, readonly string[], Options, string]): string => JSON.stringify(head);
  const ask: AskIntl = (kind, locales, options, method, args = []) =>
    kit.askIntl(headOf(kind, locales, options, method), args);
  const LocaleType = createLocale(ask, readOptions);
  const locales = (given: unknown): string[] => readLocales(given, LocaleType);
  const defaultHeads: Record<string, string> = {};
  /** As `ask`, with the caller's locales and options; fast without both. */
  const askFor: AskFor = (kind, given, options, method, args) => {
    if (given !== undefined || options !== undefined)
      return ask(kind, locales(given), readOptions(options), method, args);
    return kit.askIntl((defaultHeads[`${kind}.${method}`] ??= headOf(kind, [], {}, method)), args);
  };
  const states = new WeakMap<object, State>();

  function define(kind: string, { callable, required, bound, methods }: Kind): unknown {
    const stateOf = (self: unknown, method: string): State => {
      const state = states.get(self as object);
      if (state?.kind !== kind)
        throw new TypeError(`Method Intl.${kind}.prototype.${method} called on incompatible receiver`);
      return state;
    };
    const Type = function (this: object, given: unknown, options: unknown): object {
      if (!new.target && !callable) throw new TypeError(`Constructor Intl.${kind} requires 'new'`);
      if (required && options === undefined) throw new TypeError("Cannot convert undefined or null to object");
      const self = new.target ? this : (Object.create(Type.prototype) as object);
      const read = { locales: locales(given), options: readOptions(options) };
      const resolved = ask(kind, read.locales, read.options, "resolvedOptions") as Options;
      states.set(self, { kind, resolved, heads: {}, ...read });
      return self;
    } as unknown as { prototype: object; supportedLocalesOf: unknown };
    Object.defineProperty(Type, "name", { value: kind, configurable: true });
    Object.defineProperty(Type, "length", { value: required ? 2 : 0, configurable: true });
    hidden(Type, "supportedLocalesOf", (given: unknown, options: unknown) =>
      ask(kind, locales(given), readOptions(options), "supportedLocalesOf"),
    );
    const call = (state: State, method: string, args: Argument[]): unknown => {
      state.heads[method] ??= headOf(kind, state.locales, state.options, method);
      const answer = kit.askIntl(state.heads[method], args);
      return method === "segment" ? createSegments(String((args[0] as Argument)[1]), answer as never) : answer;
    };
    for (const [method, read] of Object.entries(methods)) {
      if (method !== bound) {
        hidden(Type.prototype, method, function (this: unknown, ...given: unknown[]) {
          return call(stateOf(this, method), method, read(...given));
        });
        continue;
      }
      const made = new WeakMap<State, unknown>();
      Object.defineProperty(Type.prototype, method, {
        configurable: true,
        get(this: unknown) {
          const state = stateOf(this, method);
          if (!made.has(state)) made.set(state, (...given: unknown[]) => call(state, method, read(...given)));
          return made.get(state);
        },
      });
    }
    hidden(Type.prototype, "resolvedOptions", function (this: unknown) {
      const { resolved } = stateOf(this, "resolvedOptions");
      return JSON.parse(JSON.stringify(resolved)) as unknown;
    });
    tagged(Type.prototype, `Intl.${kind}`);
    hidden(Type.prototype, "constructor", Type);
    return Type;
  }

  const Intl = {};
  tagged(Intl, "Intl");
  hidden(Intl, "Locale", LocaleType);
  for (const [kind, definition] of Object.entries(kinds)) hidden(Intl, kind, define(kind, definition));
  hidden(Intl, "getCanonicalLocales", (given: unknown) => ask("Intl", locales(given), {}, "getCanonicalLocales"));
  hidden(Intl, "supportedValuesOf", (key: unknown) => ask("Intl", [], {}, "supportedValuesOf", [textArgument(key)]));

  return { Intl, localeMethods: createLocaleMethods(ask, askFor, locales) };
};
