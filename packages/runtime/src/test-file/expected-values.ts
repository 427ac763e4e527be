import { createBudget, type Json } from "@x/model";
import { Call, Code, type Printable } from "./literal.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;

const charsPerStep = 12;

/** What a run knew before it acted, and when it ran. Times are epoch ms. */
export interface KnownBefore {
  /** Texts of its event, answers, props and db. */
  readonly texts: readonly string[];
  /** Those of its event, answers and props alone. */
  readonly given: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** Parts of texts that are other ones in each test: endpoints and ids. */
  readonly own: readonly string[];
}

/** Replaces values that differ from run to run, such as the present time and random ids, by matchers. */
export function expectedValues({ texts, given, startedAt, endedAt, own }: KnownBefore): (value: Json) => Printable {
  const known = texts.join("\n");
  const givenStandIns = new Set(given.join("\n").match(/secret-\d+/g));
  const budget = createBudget();
  // What is not searched for counts as new: a matcher accepts it, too.
  const isKnown = (text: string): boolean => budget.take(known.length / charsPerStep) && known.includes(text);
  /** A secret that the code or the db has: in a test it is not replaced. */
  const isHidden = (text: string): boolean =>
    (text.match(/secret-\d+/g) ?? []).some((standIn) => !givenStandIns.has(standIn));
  // A test's clock stands at the start of the run, to the millisecond.
  const secondOf = (ms: number): number => Math.floor(ms / 1_000);
  const crossesSecond = secondOf(startedAt) !== secondOf(endedAt);
  const isPresent = (ms: number): boolean => ms >= startedAt - 1 && ms <= endedAt + 1;
  const isPresentSecond = (seconds: number): boolean =>
    crossesSecond && seconds >= secondOf(startedAt) && seconds <= secondOf(endedAt);
  const isPresentText = (text: string): boolean => {
    const ms = Date.parse(text);
    return isPresent(ms) || (!text.includes(".") && isPresentSecond(ms / 1_000));
  };
  const varies = (text: string): boolean =>
    uuid.test(text) || own.some((part) => text.includes(part)) || (text.match(isoTime) ?? []).some(isPresentText);

  const expected = (value: Json): Printable => {
    if (typeof value === "number")
      return (isPresent(value) || isPresentSecond(value)) && !isKnown(String(value))
        ? new Call("expect.any", new Code("Number"))
        : value;
    if (typeof value === "string") {
      const isOther = isHidden(value) || (varies(value) && !isKnown(JSON.stringify(value).slice(1, -1)));
      return isOther ? new Call("expect.any", new Code("String")) : value;
    }
    if (Array.isArray(value)) return value.map(expected);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expected(item)]));
  };
  return expected;
}
