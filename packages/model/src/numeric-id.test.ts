import { expect, it } from "vitest";

import { numericId } from "./numeric-id.ts";

const long = "9".repeat(999);

it.each([
  ["5", 5n],
  [" 5", 5n],
  ["\t\n\f\r 5 \r\n", 5n],
  ["+5", 5n],
  ["005", 5n],
  ["5.0", 5n],
  ["5.", 5n],
  ["5e0", 5n],
  ["0.5E1", 5n],
  ["-0", 0n],
  ["-0.0", 0n],
  ["000", 0n],
  ["-7", -7n],
  [".5", 0.5],
  [" -1.5e3 ", -1500n],
  ["1e0000000001", 10n],
  ["1e-9999", 0n],
  ["9007199254740993", 9_007_199_254_740_993n],
  [`-${long}`, -BigInt(long)],
])("S55 %j is a number", (id, value) => {
  expect(numericId(id)).toEqual({ value, key: String(value) });
});

const others = [
  "",
  " ",
  "abc",
  "0x10",
  "1_000",
  "1,5",
  "Infinity",
  "NaN",
  "1e999",
  "-1e999",
  "--1",
  "+-1",
  "1-2",
  "1 2",
];
const foreign = [
  "e5",
  ".",
  "1e",
  "1e1.5",
  "5n",
  "\u00a05",
  "5\u2003",
  "\ufeff5",
  "\v5",
  "٥",
  "5\0",
  `${long}99`,
  `1e${long}`,
];

it.each([...others, ...foreign])("S55 %j is no number", (id) => {
  expect(numericId(id)).toBeUndefined();
});
