import { LRUCache } from "lru-cache";

import { parseGuestJson, splitLine } from "./guest-json.ts";
import { countNativeGarbage } from "../machine/native-garbage.ts";

/** A call of Intl without its arguments; one head serves many calls. See `guest/parts/intl.ts`. */
export type IntlHead = readonly [kind: string, locales: readonly string[], options: IntlOptions, method: string];
type IntlOptions = Readonly<Record<string, unknown>>;
/** A number, a BigInt, a string, or an object as JSON; JSON itself has no NaN, Infinity, -0 and BigInt. */
type IntlArgument = readonly [type: "n" | "b" | "s" | "j", text: string] | readonly IntlArgument[];

const formatterCount = 200;
const longestCachedHead = 2_000;
/** Native memory of the largest formatter, one for ranges of dates. V8 counts only a small object. */
const formatterBytes = 64 * 1024;
/** A list of parts is many times as large as its text. Comparing and changing cases return no lists. */
const callChars = 256 * 1024;
const unlimited = /^\["(?:Collator|String)"/;
/** Limit of locales and options: each locale and each of its parts is looked up. */
const headChars = 8 * 1024;
const localeChars = 1_024;
/** Comparing sorts the combining marks of a letter, in quadratic time. */
const manyMarks = /(?<!\p{M})\p{M}{64}/u;
const compareChars = 2 * 1024 * 1024;
/** The default locale of components, whatever that of the host. */
const defaultLocale = "en-US";

const withZone = (options: IntlOptions): IntlOptions => ({ timeZone: "UTC", ...options });

const constructors: Readonly<Record<string, (locales: string[], options: IntlOptions) => object>> = {
  Collator: (locales, options) => new Intl.Collator(locales, options),
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, withZone(options)),
  DisplayNames: (locales, options) => new Intl.DisplayNames(locales, options as unknown as Intl.DisplayNamesOptions),
  DurationFormat: (locales, options) => {
    const { DurationFormat } = Intl as unknown as {
      DurationFormat?: new (locales: string[], options: object) => object;
    };
    if (!DurationFormat) throw new TypeError("Intl.DurationFormat is not a constructor");
    return new DurationFormat(locales, options);
  },
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
  Segmenter: (locales, options) => new Intl.Segmenter(locales, options),
};

const methods: ReadonlySet<string> = new Set([
  "compare",
  "format",
  "formatRange",
  "formatRangeToParts",
  "formatToParts",
  "of",
  "resolvedOptions",
  "segment",
  "select",
  "selectRange",
]);

const maxParts = 100_000;
const dateParts = ["weekday", "year", "month", "day"];
const timeParts = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

/** Adds the options of Date's locale methods when the caller gives no part of a date or time (ECMA-402, ToDateTimeOptions). */
function dateOptions(options: IntlOptions, method: string): IntlOptions {
  const asksDate = method !== "toLocaleTimeString";
  const asksTime = method !== "toLocaleDateString";
  if (!asksTime && options["timeStyle"] !== undefined) throw new TypeError("Invalid option : timeStyle");
  if (!asksDate && options["dateStyle"] !== undefined) throw new TypeError("Invalid option : dateStyle");
  const parts = [...(asksDate ? dateParts : []), ...(asksTime ? timeParts : []), "dateStyle", "timeStyle"];
  if (parts.some((part) => options[part] !== undefined)) return options;
  const numeric = (names: string[]): object => Object.fromEntries(names.map((name) => [name, "numeric"]));
  return {
    ...options,
    ...(asksDate && numeric(["year", "month", "day"])),
    ...(asksTime && numeric(["hour", "minute", "second"])),
  };
}

function readArgument(argument: IntlArgument): unknown {
  const [type, text] = argument;
  if (typeof text !== "string") return (argument as readonly IntlArgument[]).map(readArgument);
  if (type === "n") return text === "-0" ? -0 : Number(text);
  if (type === "j") return JSON.parse(text);
  return type === "b" ? BigInt(text) : text;
}

function checkSize(what: string, text: string, most: number): string {
  if (text.length > most) throw new RangeError(`${what} of ${text.length} characters; at most ${most} in the sandbox`);
  return text;
}

function describeLocale(tag: string, options: IntlOptions): object {
  const locale = new Intl.Locale(tag, options);
  const more = locale as unknown as Record<string, () => unknown>;
  const called = (name: string): unknown => more[name]?.call(locale);
  const { baseName, calendar, caseFirst, collation, hourCycle, language, numberingSystem, numeric, region, script } =
    locale;
  return {
    text: locale.toString(),
    baseName,
    calendar,
    caseFirst,
    collation,
    hourCycle,
    language,
    numberingSystem,
    numeric,
    region,
    script,
    maximized: locale.maximize().toString(),
    minimized: locale.minimize().toString(),
    lists: Object.fromEntries(
      ["Calendars", "Collations", "HourCycles", "NumberingSystems", "TextInfo", "TimeZones", "WeekInfo"].map((name) => [
        `get${name}`,
        called(`get${name}`),
      ]),
    ),
  };
}

type Answer = (values: readonly unknown[]) => unknown;

function prepareFormatter([kind, locales, options, method]: IntlHead): Answer {
  const make = Object.hasOwn(constructors, kind) ? constructors[kind] : undefined;
  if (!make) throw new TypeError(`Intl.${kind} is not a constructor`);
  if (!methods.has(method)) throw new TypeError(`${method} is not a function`);
  const given = locales.length > 0 ? [...locales] : [defaultLocale];
  const formatter = make(given, options) as Record<string, (...values: readonly unknown[]) => unknown>;
  if (kind === "Collator" && method === "compare")
    return (texts) => {
      if (texts.some((text) => manyMarks.test(String(text))))
        throw new RangeError("The sandbox compares no texts with 64 marks in a row");
      return formatter["compare"]?.(...texts);
    };
  // Each segment repeats the whole text, which the guest has.
  if (method === "segment")
    return (values) =>
      Array.from(formatter["segment"]?.(...values) as Intl.Segments, (each) => ({ ...each, input: undefined }));
  return (values) => formatter[method]?.(...values);
}

function supportedLocales([kind, locales, options]: IntlHead): unknown {
  const type = (Intl as unknown as Record<string, typeof Intl.NumberFormat>)[kind];
  if (!type || !Object.hasOwn(constructors, kind)) throw new TypeError(`Intl.${kind} is not a constructor`);
  return type.supportedLocalesOf([...locales], options);
}

function prepare(head: IntlHead): Answer {
  const [kind, locales, options, method] = head;
  if (kind === "Locale") return ([tag]) => describeLocale(checkSize("A locale", String(tag), localeChars), options);
  if (kind === "Date") return prepareFormatter(["DateTimeFormat", locales, dateOptions(options, method), "format"]);
  if (kind === "String")
    return method === "toLocaleUpperCase"
      ? ([text]) => String(text).toLocaleUpperCase([...locales])
      : ([text]) => String(text).toLocaleLowerCase([...locales]);
  if (kind === "Intl")
    return method === "supportedValuesOf"
      ? ([key]) => Intl.supportedValuesOf(String(key) as "currency")
      : () => Intl.getCanonicalLocales([...locales]);
  if (method === "supportedLocalesOf") return () => supportedLocales(head);
  return prepareFormatter(head);
}

const cache = new LRUCache<string, Answer>({ max: formatterCount });

function findAnswer(headText: string): Answer {
  const cached = cache.get(headText);
  if (cached) return cached;
  const made = prepare(parseGuestJson(headText, maxParts) as IntlHead);
  // It becomes garbage when the cache evicts it.
  countNativeGarbage(formatterBytes);
  if (headText.length <= longestCachedHead) cache.set(headText, made);
  return made;
}

/**
 * Answers one call of Intl, given as the JSON of its head, a line break and the JSON of its arguments. Returns JSON of
 * `{ value }`, or of `{ error: [name, message] }`, which the guest throws. Pure.
 */
export function answerIntl(text: string): string {
  const [head, argumentsText] = splitLine(text);
  try {
    checkSize("Locales and options", head, headChars);
    if (head.startsWith('["Collator"')) checkSize("Texts to compare", text, compareChars);
    if (text.length > callChars && !unlimited.test(head))
      throw new RangeError(`Intl takes at most ${callChars} characters at once in the sandbox`);
    const args = parseGuestJson(argumentsText, maxParts) as readonly IntlArgument[];
    return JSON.stringify({ value: findAnswer(head)(args.map(readArgument)) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new TypeError(String(error));
    return JSON.stringify({ error: [name, message] });
  }
}
