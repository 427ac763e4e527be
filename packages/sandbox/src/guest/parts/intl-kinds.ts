import { type Argument, dateArgument, numberArgument, type Options, textArgument } from "./intl-arguments.ts";

/** A class of Intl: its methods with readers of their arguments. The `bound` one is a getter of a bound function. */
export interface Kind {
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

/** The classes of Intl that share one implementation, by name. */
export const kinds: Record<string, Kind> = {
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
