import { array, constantFrom, integer, oneof, record, string, stringMatching, tuple, type Arbitrary } from "fast-check";

import { invalidCron, nextCron, previousCron } from "../../packages/model/src/cron.ts";
import { offsetsOf, readPattern, walk } from "./cron-model.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";

interface Input {
  readonly expression: string;
  readonly zone: string;
  readonly after: number;
}

const hour = 3_600_000;

/** Zones with changes of an hour, of half an hour, of two, at midnight, to the other side of the date line, and without. */
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Havana",
  "Asia/Kathmandu",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "Africa/Casablanca",
  "Pacific/Apia",
  "Pacific/Chatham",
];

const offsets = new Map(zones.map((zone) => [zone, offsetsOf(zone)]));

const years: readonly [number, number] = [Date.UTC(1995, 0), Date.UTC(2036, 0)];

/** The days before the changes of a zone's clock. */
function changesOf(zone: string): number[] {
  const offset = offsets.get(zone) ?? (() => 0);
  const found: number[] = [];
  for (let at = years[0]; at < years[1]; at += 24 * hour) if (offset(at) !== offset(at + 24 * hour)) found.push(at);
  return found;
}
const changes = new Map(zones.map((zone) => [zone, changesOf(zone)]));

const instant = (zone: string): Arbitrary<number> => {
  const anywhere = integer({ min: years[0], max: years[1] });
  const days = changes.get(zone) ?? [];
  if (days.length === 0) return anywhere;
  const near = tuple(constantFrom(...days), integer({ min: -6 * hour, max: 30 * hour })).map(([day, by]) => day + by);
  return oneof({ weight: 3, arbitrary: near }, { weight: 1, arbitrary: anywhere });
};

const field = (low: number, high: number, names = ""): Arbitrary<string> => {
  const number = integer({ min: low, max: high }).map(String);
  const value = names === "" ? number : oneof(number, constantFrom(...names.split(" ")));
  const range = tuple(integer({ min: low, max: high }), integer({ min: low, max: high })).map(
    ([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`,
  );
  const step = integer({ min: 1, max: high }).map((by) => `/${by}`);
  const item = oneof(
    constantFrom("*"),
    value,
    range,
    tuple(constantFrom("*"), step).map((parts) => parts.join("")),
    tuple(range, step).map((parts) => parts.join("")),
  );
  return oneof(
    { weight: 4, arbitrary: constantFrom("*") },
    { weight: 3, arbitrary: value },
    { weight: 2, arbitrary: item },
    { weight: 1, arbitrary: tuple(item, item).map((items) => items.join(",")) },
  );
};

const five = tuple(
  field(0, 59),
  field(0, 23),
  field(1, 31),
  field(1, 12, "jan FEB mar Dec"),
  field(0, 7, "sun MON tue Sat"),
).map((fields) => fields.join(" "));
const list = (high: number): Arbitrary<string> =>
  oneof(
    integer({ min: 0, max: high }).map(String),
    array(integer({ min: 0, max: high }), { minLength: 1, maxLength: 3 }).map((values) => values.join(",")),
    tuple(integer({ min: 0, max: high }), integer({ min: 0, max: high }), constantFrom("", "/2")).map(
      ([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}${step}`,
    ),
  );
const timeOfDay = tuple(list(59), oneof(list(4), list(23))).map(([minute, of]) => `${minute} ${of} * * *`);
const expression = oneof(
  { weight: 6, arbitrary: five },
  { weight: 3, arbitrary: timeOfDay },
  { weight: 2, arbitrary: tuple(field(0, 59), five).map((fields) => fields.join(" ")) },
  { weight: 1, arbitrary: constantFrom("@hourly", "@Daily", "@weekly", "@monthly", "@yearly") },
  { weight: 1, arbitrary: stringMatching(/^[-0-9*/,a-z@#?LW \t]{0,40}$/) },
  { weight: 1, arbitrary: string({ maxLength: 300, unit: "binary" }) },
);

/** How far the model walks; beyond it an answer only has to match. */
const reach = 36 * hour;

function check({ expression, zone, after }: Input): void {
  const problem = invalidCron(expression, zone);
  const next = nextCron(expression, zone, after);
  if (problem !== undefined) {
    if (next !== undefined) throw new Error(`refused (${problem}), but next is ${new Date(next).toISOString()}`);
    return;
  }
  const pattern = readPattern(expression);
  const offset = offsets.get(zone) ?? offsetsOf(zone);
  const iso = (ms: number | undefined): string => (ms === undefined ? "none" : new Date(ms).toISOString());
  const until = after + reach;
  const expected = walk(pattern, offset, after, until);
  if (expected !== undefined ? next !== expected : next !== undefined && next <= until)
    throw new Error(`next is ${iso(next)}, the model says ${iso(expected)}`);
  if (next === undefined) return;
  if (walk(pattern, offset, next - 1, next) !== next) throw new Error(`${iso(next)} does not match`);
  const previous = previousCron(expression, zone, next);
  const again = previous === undefined ? undefined : nextCron(expression, zone, previous);
  if (previous === undefined || previous >= next || again !== next)
    throw new Error(`the one before ${iso(next)} is ${iso(previous)}, whose next one is ${iso(again)}`);
}

export const cronFuzzer: Fuzzer = {
  name: "cron",
  about:
    "the next tick is what stepping over all seconds finds, also while clocks change, and no text breaks the parser",
  runs: 800,
  open: async () =>
    defineTarget<Input>({
      arbitrary: constantFrom(...zones).chain((zone) =>
        record({ expression, zone: constantFrom(zone), after: instant(zone) }),
      ),
      property: check,
    }),
};
