import type { Kit } from "../kit.ts";
import { type BoundMethods, createLocale, type Locale } from "./intl-locale.ts";
import { createSegments } from "./intl-segments.ts";

type Options = Record<string, unknown>;
export type Argument = readonly ["n" | "b" | "s" | "j", string] | readonly Argument[];
export type AskIntl = (
  kind: string,
  locales: readonly string[],
  options: Options,
  method: string,
  args?: Argument[],
) => unknown;

/** Every option that a constructor of Intl reads; numbers, booleans and texts stay what they are. */
const optionNames =
  "localeMatcher,calendar,numberingSystem,hour12,hourCycle,timeZone,weekday,era,year,month,day,dayPeriod,hour,minute,second,fractionalSecondDigits,timeZoneName,formatMatcher,dateStyle,timeStyle,style,currency,currencyDisplay,currencySign,unit,unitDisplay,notation,compactDisplay,useGrouping,signDisplay,minimumIntegerDigits,minimumFractionDigits,maximumFractionDigits,minimumSignificantDigits,maximumSignificantDigits,roundingIncrement,roundingMode,roundingPriority,trailingZeroDisplay,usage,sensitivity,ignorePunctuation,numeric,caseFirst,collation,type,fallback,languageDisplay,granularity,language,script,region,variants,firstDayOfWeek,years,months,weeks,days,hours,minutes,seconds,milliseconds,microseconds,nanoseconds,yearsDisplay,monthsDisplay,weeksDisplay,daysDisplay,hoursDisplay,minutesDisplay,secondsDisplay,millisecondsDisplay,microsecondsDisplay,nanosecondsDisplay,fractionalDigits".split(
    ",",
  );

function readOptions(given: unknown): Options {
  if (given === undefined) return {};
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  const options: Options = {};
  for (const name of optionNames) {
    const value = (given as Options)[name];
    if (value === undefined) continue;
    const kept = typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
    options[name] = kept ? value : String(value);
  }
  return options;
}

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

const numberArgument = (given: unknown): Argument => {
  const value = typeof given === "object" && given !== null ? primitive(given) : given;
  if (typeof value === "bigint") return ["b", String(value)];
  if (typeof value === "string") return ["s", value];
  const number = Number(value);
  return ["n", Object.is(number, -0) ? "-0" : String(number)];
};
const primitive = (value: object): unknown => {
  const wrapped = value as { [Symbol.toPrimitive]?: (hint: string) => unknown };
  return wrapped[Symbol.toPrimitive]?.("number") ?? value.valueOf();
};
const dateArgument = (given: unknown): Argument => {
  const ms = given === undefined ? Date.now() : Number(given);
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) throw new RangeError("Invalid time value");
  return ["n", String(ms)];
};
const textArgument = (given: unknown): Argument => ["s", String(given)];

interface State {
  readonly kind: string;
  readonly locales: readonly string[];
  readonly options: Options;
  readonly resolved: Options;
  /** By method: what all its calls share. */
  readonly heads: Record<string, string>;
}

/** What a kind of Intl does: methods by name with how their arguments are read; `bound` ones are getters of a bound function. */
interface Kind {
  readonly callable?: boolean;
  readonly required?: boolean;
  readonly bound?: string;
  readonly methods: Record<string, (...given: unknown[]) => Argument[]>;
}

const each =
  (read: (given: unknown) => Argument, count: number) =>
  (...given: unknown[]): Argument[] =>
    Array.from({ length: count }, (_, index) => read(given[index]));
const range =
  (read: (given: unknown) => Argument) =>
  (start: unknown, end: unknown): Argument[] => {
    if (start === undefined || end === undefined) throw new TypeError("startDate or endDate cannot be undefined");
    return [read(start), read(end)];
  };
const one = { date: each(dateArgument, 1), number: each(numberArgument, 1) };
const list = (given: unknown): Argument[] => [
  Array.from((given ?? []) as Iterable<unknown>, (item) => {
    if (typeof item !== "string") throw new TypeError("Iterable yielded a value which is not a string");
    return textArgument(item);
  }),
];
const durationUnits = "years,months,weeks,days,hours,minutes,seconds,milliseconds,microseconds,nanoseconds".split(",");
const duration = (given: unknown): Argument[] => {
  if (typeof given === "string") return [textArgument(given)];
  if (typeof given !== "object" || given === null) throw new TypeError("Incorrect duration given");
  const units = durationUnits.map((unit) => [unit, (given as Options)[unit]] as const);
  return [
    [
      "j",
      JSON.stringify(
        Object.fromEntries(
          units.filter(([, value]) => value !== undefined).map(([unit, value]) => [unit, Number(value)]),
        ),
      ),
    ],
  ];
};
const relative = (value: unknown, unit: unknown): Argument[] => [["n", String(Number(value))], textArgument(unit)];

const kinds: Record<string, Kind> = {
  Collator: { callable: true, bound: "compare", methods: { compare: each(textArgument, 2) } },
  DateTimeFormat: {
    callable: true,
    bound: "format",
    methods: {
      format: one.date,
      formatToParts: one.date,
      formatRange: range(dateArgument),
      formatRangeToParts: range(dateArgument),
    },
  },
  DisplayNames: { required: true, methods: { of: each(textArgument, 1) } },
  DurationFormat: { methods: { format: duration, formatToParts: duration } },
  ListFormat: { methods: { format: list, formatToParts: list } },
  NumberFormat: {
    callable: true,
    bound: "format",
    methods: {
      format: one.number,
      formatToParts: one.number,
      formatRange: range(numberArgument),
      formatRangeToParts: range(numberArgument),
    },
  },
  PluralRules: { methods: { select: one.number, selectRange: range(numberArgument) } },
  RelativeTimeFormat: { methods: { format: relative, formatToParts: relative } },
  Segmenter: { methods: { segment: each(textArgument, 1) } },
};

const hidden = (target: object, name: PropertyKey, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
};
const tagged = (target: object, tag: string): void => {
  Object.defineProperty(target, Symbol.toStringTag, { value: tag, configurable: true });
};

/** `Intl`: the objects and the reading of arguments are here, every answer comes from the host. */
export default (kit: Kit): { Intl: object; localeMethods: BoundMethods } => {
  const headOf = (...head: readonly [string, readonly string[], Options, string]): string => JSON.stringify(head);
  const ask: AskIntl = (kind, locales, options, method, args = []) =>
    kit.askIntl(headOf(kind, locales, options, method), args);
  const LocaleType = createLocale(ask, readOptions);
  const locales = (given: unknown): string[] => readLocales(given, LocaleType);
  const defaultHeads: Record<string, string> = {};
  /** The same where locales and options are as the caller gave them, often not at all. */
  const askFor = (kind: string, given: unknown, options: unknown, method: string, args: Argument[]): unknown => {
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
    Intl,
    localeMethods: {
      toLocaleString: dateMethod("toLocaleString"),
      toLocaleDateString: dateMethod("toLocaleDateString"),
      toLocaleTimeString: dateMethod("toLocaleTimeString"),
      numberToLocaleString: numberMethod,
      toLocaleUpperCase: caseMethod("toLocaleUpperCase"),
      toLocaleLowerCase: caseMethod("toLocaleLowerCase"),
      localeCompare: (self, [other, given, options]) =>
        askFor("Collator", given, options, "compare", [textArgument(self), textArgument(other)]),
    },
  };
};
