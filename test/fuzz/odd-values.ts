import { array, type Arbitrary, constantFrom, dictionary, double, integer, letrec, oneof, string } from "fast-check";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Texts that programs stumble over: names of Object.prototype, half characters, texts that look like other things. */
export const oddText: Arbitrary<string> = oneof(
  constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "\udc00\ud800",
    "\u{1F600}",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "NaN",
    "-0",
    "1e999",
    "0x10",
    "true",
    "[]",
    "{}",
    "$errors",
    "$logs",
    "%00",
    "%zz",
    "a/b",
    "a\\b",
    "a,b",
    "dc_*",
    "-",
    "\r\n",
    "\u2028",
    "\ufeff",
    "x".repeat(256),
    "x".repeat(257),
    "x".repeat(5_000),
    "😀".repeat(128),
  ),
  string({ maxLength: 20 }),
  string({ maxLength: 20, unit: "binary" }),
);

/** Numbers at the ends of ranges. */
export const oddNumber: Arbitrary<number> = oneof(
  constantFrom(0, -1, 1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324, -1e308),
  integer(),
  double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);

/** Any JSON value, small. */
export const jsonValue: Arbitrary<JsonValue> = letrec<{ value: JsonValue }>((tie) => ({
  value: oneof(
    { depthSize: "small", withCrossShrink: true },
    constantFrom<JsonValue>(null, true, false),
    oddNumber,
    oddText,
    array(tie("value"), { maxLength: 4 }),
    dictionary(oddText, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
