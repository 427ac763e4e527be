import { expect, test } from "vitest";

import { formatTraceparent, parseTraceparent, traceparentOf } from "./traceparent.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const valid = `00-${traceId}-${spanId}-01`;

test("a traceparent is read and written", () => {
  expect(parseTraceparent(valid)).toEqual({ traceId, spanId, sampled: true });
  expect(parseTraceparent(` 00-${traceId}-${spanId}-00 `)).toMatchObject({ sampled: false });
  expect(parseTraceparent(`00-${traceId}-${spanId}-03`)).toMatchObject({ sampled: true });
  expect(formatTraceparent({ traceId, spanId, sampled: true })).toBe(valid);
  expect(formatTraceparent({ traceId, spanId, sampled: false })).toBe(`00-${traceId}-${spanId}-00`);
});

test("a later version may have more fields", () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-01-what-else`)).toMatchObject({ traceId });
});

test.each([
  "",
  "00",
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId.slice(1)}-${spanId}-01`,
  `00-${traceId}-${spanId}-1`,
  `00-${traceId}-${spanId}-01\n00`,
  `${valid},${valid}`,
])("%j is ignored", (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

test("a request has a traceparent when it has exactly one that is valid, in any case of the name", () => {
  expect(traceparentOf([["TraceParent", valid]])).toBe(valid);
  expect(traceparentOf([["a", valid]])).toBeUndefined();
  expect(
    traceparentOf([
      ["traceparent", valid],
      ["traceparent", valid],
    ]),
  ).toBeUndefined();
  expect(traceparentOf([["traceparent", "nonsense"]])).toBeUndefined();
});
