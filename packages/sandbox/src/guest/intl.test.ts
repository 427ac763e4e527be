import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** In Node since 23. */
const hasDurations = "DurationFormat" in Intl;

const at = `new Date(Date.UTC(2024, 1, 29, 13, 5, 7, 89))`;
const later = `new Date(Date.UTC(2024, 2, 2, 1, 0, 0))`;

test("Intl's formatters behave as in Node", async () => {
  const dateOptions = [
    `{ timeZone: "UTC" }`,
    `{ timeZone: "Asia/Kolkata", dateStyle: "full", timeStyle: "long" }`,
    `{ timeZone: "America/New_York", hour: "numeric", minute: "2-digit", hour12: false, timeZoneName: "short" }`,
    `{ timeZone: "+05:30", weekday: "long", era: "short", year: "numeric", month: "short", day: "2-digit", fractionalSecondDigits: 3 }`,
    `{ timeZone: "UTC", calendar: "buddhist", numberingSystem: "thai", dateStyle: "medium" }`,
  ];
  const numberOptions = [
    `{}`,
    `{ style: "currency", currency: "EUR" }`,
    `{ notation: "compact", compactDisplay: "long" }`,
    `{ style: "percent", maximumFractionDigits: 2 }`,
    `{ style: "unit", unit: "kilometer-per-hour", unitDisplay: "long" }`,
    `{ minimumFractionDigits: 3, useGrouping: false, signDisplay: "always" }`,
    `{ maximumSignificantDigits: 3, roundingMode: "floor" }`,
  ];
  const locales = [`"en-US"`, `"de"`, `["xx", "fr-CA"]`, `"ar-EG"`, `"ja-JP-u-ca-japanese"`];
  const snippets = [
    ...locales.flatMap((locale) => [
      ...dateOptions.flatMap((options) => [
        `new Intl.DateTimeFormat(${locale}, ${options}).format(${at})`,
        `new Intl.DateTimeFormat(${locale}, ${options}).formatToParts(${at}.getTime())`,
      ]),
      ...numberOptions.map(
        (options) =>
          `const format = new Intl.NumberFormat(${locale}, ${options}); return [1234567.891, -0, NaN, Infinity, 12345678901234567890n, "0.1"].map(format.format)`,
      ),
      `["b", "a", "A", "ä", "z", "10", "2"].sort(new Intl.Collator(${locale}, { numeric: true }).compare)`,
      `[0, 1, 2, 3, 11, 21].map((n) => new Intl.PluralRules(${locale}, { type: "ordinal" }).select(n))`,
      `[-1, 0, 1, 2].map((n) => new Intl.RelativeTimeFormat(${locale}, { numeric: "auto" }).format(n, "day"))`,
      `new Intl.ListFormat(${locale}, { type: "disjunction" }).format(["a", "b", "c"])`,
      `["US", "DE", "XX"].map((code) => new Intl.DisplayNames(${locale}, { type: "region" }).of(code))`,
      `[...new Intl.Segmenter(${locale}, { granularity: "word" }).segment("Hello, wörld 🎉!")]`,
    ]),
    `new Intl.DateTimeFormat("en", { timeZone: "UTC", dateStyle: "long" }).formatRange(${at}, ${later})`,
    `new Intl.DateTimeFormat("en", { timeZone: "UTC", dateStyle: "long" }).formatRangeToParts(${at}, ${later})`,
    `new Intl.DateTimeFormat("de", { timeZone: "Europe/Berlin" }).resolvedOptions()`,
    `new Intl.NumberFormat("de", { style: "currency", currency: "USD" }).resolvedOptions()`,
    `new Intl.NumberFormat("en").formatToParts(-1234.5)`,
    `new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).formatRange(3, 5)`,
    `new Intl.NumberFormat("en").formatRangeToParts(3n, "5")`,
    `new Intl.Collator("sv", { sensitivity: "base" }).resolvedOptions()`,
    `new Intl.Collator("en", { sensitivity: "base" }).compare("a", "Á")`,
    `new Intl.PluralRules("en").selectRange(1, 2)`,
    `new Intl.RelativeTimeFormat("en").formatToParts(-3, "months")`,
    `new Intl.ListFormat("en").formatToParts(new Set(["a", "b"]))`,
    `new Intl.DisplayNames("en", { type: "currency" }).of("EUR")`,
    `const found = new Intl.Segmenter("en").segment("a🎉b").containing(2); return [found.segment, found.index, found.input]`,
    `new Intl.Segmenter("en").segment("ab").containing(5)`,
    ...(hasDurations
      ? [
          `new Intl.DurationFormat("en", { style: "long" }).format({ hours: 1, minutes: 5 })`,
          `new Intl.DurationFormat("de", { style: "digital" }).formatToParts({ hours: 1, seconds: 5 })`,
          `new Intl.DurationFormat("en").format({})`,
          `new Intl.DurationFormat("en").format(5)`,
        ]
      : []),
  ];
  const { guest, node } = await compare(sandbox, snippets);
  expect(guest).toEqual(node);
});

test("Intl's objects have the shape and the errors of Node's", async () => {
  const { guest, node } = await compare(sandbox, [
    `Object.getOwnPropertyNames(Intl).filter((name) => name !== "v8BreakIterator").sort()`,
    `Object.prototype.toString.call(Intl) + Object.prototype.toString.call(new Intl.NumberFormat())`,
    `[Intl.DateTimeFormat("en") instanceof Intl.DateTimeFormat, Intl.NumberFormat("en") instanceof Intl.NumberFormat, Intl.Collator() instanceof Intl.Collator]`,
    `Intl.PluralRules()`,
    `Intl.ListFormat.name + Intl.ListFormat.length + Intl.DisplayNames.length`,
    `const { format } = new Intl.DateTimeFormat("en", { timeZone: "UTC" }); return format(0)`,
    `const formatter = new Intl.NumberFormat("en"); return [formatter.format === formatter.format, Object.keys(formatter)]`,
    `class Mine extends Intl.NumberFormat { twice(n) { return this.format(n) + this.format(n) } } return new Mine("de").twice(1.5)`,
    `Intl.NumberFormat.prototype.format`,
    `Intl.PluralRules.prototype.select.call({}, 1)`,
    `new Intl.NumberFormat("not a tag")`,
    `new Intl.NumberFormat(null)`,
    `new Intl.NumberFormat([1])`,
    `new Intl.NumberFormat("en", null)`,
    `new Intl.NumberFormat("en", { style: "currency" })`,
    `new Intl.NumberFormat("en", { style: "nope" })`,
    `new Intl.NumberFormat("en", { minimumFractionDigits: 300 })`,
    `new Intl.NumberFormat("en").format(Symbol("s"))`,
    `new Intl.DateTimeFormat("en", { timeZone: "Mars/Olympus" })`,
    `new Intl.DateTimeFormat("en").format(NaN)`,
    `new Intl.DateTimeFormat("en").formatRange(0)`,
    `new Intl.DisplayNames("en")`,
    `new Intl.DisplayNames("en", { type: "region" }).of("nope!")`,
    `new Intl.ListFormat("en").format(["a", 1])`,
    `new Intl.RelativeTimeFormat("en").format(1, "fortnight")`,
    `new Intl.RelativeTimeFormat("en").format(Infinity, "day")`,
    `Intl.getCanonicalLocales(["EN-us", "zh-hans-cn"])`,
    `Intl.getCanonicalLocales("nope!")`,
    `Intl.supportedValuesOf("unit")`,
    `Intl.supportedValuesOf("nope")`,
    `Intl.DateTimeFormat.supportedLocalesOf(["en", "tlh", "de-AT"])`,
    `const { language, region, script, baseName, calendar, numeric } = new Intl.Locale("zh-hant-tw-u-ca-roc-kn"); return [language, region, script, baseName, calendar, numeric]`,
    `String(new Intl.Locale("en", { region: "GB", hourCycle: "h23" }))`,
    `[String(new Intl.Locale("zh").maximize()), String(new Intl.Locale("zh-Hans-CN").minimize())]`,
    `new Intl.Locale("de").getWeekInfo()`,
    `new Intl.Locale()`,
    `new Intl.NumberFormat(new Intl.Locale("de")).format(1.5)`,
    `new Intl.NumberFormat(Object.create({ length: 1, 0: "de" })).format(1.5)`,
    `new Intl.NumberFormat("en", Object.create({ style: "percent" })).format(0.5)`,
  ]);
  expect(guest).toEqual(node);
});

test("the locale methods of dates, numbers, texts and lists behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    ...["toLocaleString", "toLocaleDateString", "toLocaleTimeString"].flatMap((method) => [
      `${at}.${method}("en-US", { timeZone: "UTC" })`,
      `${at}.${method}("de-DE", { timeZone: "America/Los_Angeles" })`,
      `${at}.${method}(["en-GB"], { timeZone: "UTC", month: "long" })`,
      `${at}.${method}("en", { timeZone: "UTC", dateStyle: "short" })`,
      `${at}.${method}("en", { timeZone: "UTC", timeStyle: "short" })`,
      `${at}.${method}("en", { timeZone: "UTC", hour: "numeric" })`,
      `${at}.${method}("en", { timeZone: "Nope" })`,
      `new Date(NaN).${method}("en")`,
      `Date.prototype.${method}.call({})`,
      `Date.prototype.${method}.name`,
    ]),
    `(1234.5).toLocaleString("en-US")`,
    `(1234.5).toLocaleString("de-DE", { style: "currency", currency: "EUR" })`,
    `(1234567890123456789n).toLocaleString("en-US")`,
    `Number.prototype.toLocaleString.call("x")`,
    `[1234.5, ${at}, null, undefined, "x", [1e6]].toLocaleString("de", { timeZone: "UTC" })`,
    `new Float64Array([1234.5, 2]).toLocaleString("de")`,
    `["a".localeCompare("b"), "b".localeCompare("a"), "a".localeCompare("a"), "a".localeCompare("B"), "ä".localeCompare("z", "de"), "ä".localeCompare("z", "sv")]`,
    `["item 10", "item 9", "Item 1"].sort((a, b) => a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" }))`,
    `"résumé".localeCompare("resume", "en", { sensitivity: "base" })`,
    `"x".localeCompare()`,
    `["i".toLocaleUpperCase("tr"), "I".toLocaleLowerCase("tr-TR"), "ß".toLocaleUpperCase("de"), "İ".toLocaleLowerCase(["en"]), "i".toLocaleUpperCase()]`,
    `"x".toLocaleUpperCase("not a tag")`,
    `String.prototype.localeCompare.call(null, "a")`,
    `String.prototype.toLocaleUpperCase.call(undefined)`,
    `Object.keys(Date.prototype).length + Object.keys(String.prototype).length`,
  ]);
  expect(guest).toEqual(node);
});

test("plain texts are compared as in Node", async () => {
  const words = `const letters = "aAbBzZ09 e"; let seed = 7; const pick = (n) => (seed = (seed * 48271) % 2147483647) % n; const words = Array.from({ length: 60 }, () => Array.from({ length: pick(5) }, () => letters[pick(letters.length)]).join(""));`;
  const { guest, node } = await compare(sandbox, [
    `${words} return words.map((a) => words.map((b) => a.localeCompare(b, "en")).join())`,
    `${words} return words.map((a) => words.map((b) => a.localeCompare(b, "en", {})).join())`,
    `[["résumé", "resume"], ["a-b", "a_b"], ["x", undefined], ["1", 1]].map(([a, b]) => a.localeCompare(b, "en-US"))`,
  ]);
  expect(guest).toEqual(node);
});

test("a component has UTC and en-US, whatever the host has", async () => {
  const { emits, outcome } = await tryComponent(
    sandbox,
    runBody(`
      const moment = new Date(Date.UTC(2024, 6, 4, 12));
      this.$emit({
        offset: moment.getTimezoneOffset(),
        hours: [moment.getHours(), new Date(2024, 6, 4, 12).getTime() === moment.getTime()],
        text: String(moment).slice(0, 33),
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        locale: new Intl.NumberFormat().resolvedOptions().locale,
        shown: moment.toLocaleString(),
      });`),
  );
  expect(outcome.error).toBeUndefined();
  expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual({
    offset: 0,
    hours: [12, true],
    text: "Thu Jul 04 2024 12:00:00 GMT+0000",
    zone: "UTC",
    locale: "en-US",
    shown: new Date(Date.UTC(2024, 6, 4, 12)).toLocaleString("en-US", { timeZone: "UTC" }),
  });
});

test("Intl works during the evaluation of a module, and its objects work in every run", async () => {
  const code = `
    const money = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" });
    const atLoad = money.format(1);
    module.exports = { name: "t", version: "1", run() { this.$emit([atLoad, money.format(2), new Date(0).toLocaleDateString("de")]); } };`;
  for (const _ of ["first", "second"]) {
    const { emits, outcome } = await tryComponent(sandbox, code, { source: "dc_intl" });
    expect(outcome.error).toBeUndefined();
    expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual(["1,00\u00a0€", "2,00\u00a0€", "1.1.1970"]);
  }
});

test("calls of Intl have a limit on their text, except for comparing and changing case", async () => {
  const { emits, outcome } = await tryComponent(
    sandbox,
    runBody(`
      const long = "a ".repeat(500_000);
      const calls = [() => [...new Intl.Segmenter("en").segment(long)].length, () => new Intl.NumberFormat("en").format("1".repeat(500_000)), () => long.localeCompare(long + "b", "en"), () => long.toLocaleUpperCase("tr").length];
      this.$emit(calls.map((call) => { try { return call() } catch (error) { return error.name } }));`),
    { memoryBytes: 256 * 1024 * 1024 },
  );
  expect(outcome.error).toBeUndefined();
  expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual(["RangeError", "RangeError", -1, 1_000_000]);
});
