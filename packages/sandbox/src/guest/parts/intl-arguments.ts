export type Options = Record<string, unknown>;
export type Argument = readonly ["n" | "b" | "s" | "j", string] | readonly Argument[];
export type AskIntl = (
  kind: string,
  locales: readonly string[],
  options: Options,
  method: string,
  args?: Argument[],
) => unknown;

/** Every option that a constructor of Intl reads. */
const optionNames =
  "localeMatcher,calendar,numberingSystem,hour12,hourCycle,timeZone,weekday,era,year,month,day,dayPeriod,hour,minute,second,fractionalSecondDigits,timeZoneName,formatMatcher,dateStyle,timeStyle,style,currency,currencyDisplay,currencySign,unit,unitDisplay,notation,compactDisplay,useGrouping,signDisplay,minimumIntegerDigits,minimumFractionDigits,maximumFractionDigits,minimumSignificantDigits,maximumSignificantDigits,roundingIncrement,roundingMode,roundingPriority,trailingZeroDisplay,usage,sensitivity,ignorePunctuation,numeric,caseFirst,collation,type,fallback,languageDisplay,granularity,language,script,region,variants,firstDayOfWeek,years,months,weeks,days,hours,minutes,seconds,milliseconds,microseconds,nanoseconds,yearsDisplay,monthsDisplay,weeksDisplay,daysDisplay,hoursDisplay,minutesDisplay,secondsDisplay,millisecondsDisplay,microsecondsDisplay,nanosecondsDisplay,fractionalDigits".split(
    ",",
  );

export function readOptions(given: unknown): Options {
  if (given === undefined) return {};
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  const options: Options = {};
  for (const name of optionNames) {
    const value = (given as Options)[name];
    if (value === undefined) continue;
    const isPlain = typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
    options[name] = isPlain ? value : String(value);
  }
  return options;
}

export const numberArgument = (given: unknown): Argument => {
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
export const dateArgument = (given: unknown): Argument => {
  const ms = given === undefined ? Date.now() : Number(given);
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) throw new RangeError("Invalid time value");
  return ["n", String(ms)];
};
export const textArgument = (given: unknown): Argument => ["s", String(given)];
