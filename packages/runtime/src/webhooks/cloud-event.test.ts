import { expect, test } from "vitest";

import { exampleDelivery } from "../../../store/src/conformance/examples.cases.ts";
import { binaryHeaders, cloudEventAttributes } from "./cloud-event.ts";

test("3.8 the type of a CloudEvent is the stream, without the characters that CloudEvents forbids", () => {
  const typeOf = (eventName: string): string => cloudEventAttributes(exampleDelivery("dlv_1", { eventName })).type;
  expect(["", "$errors", "café", "a\r\nb\ud800\ufffe"].map(typeOf)).toEqual([
    "default",
    "$errors",
    "café",
    "a%0D%0Ab%EF%BF%BD%EF%BF%BE",
  ]);
});

test("3.8 a CloudEvent of a workflow names its path as source", () => {
  expect(cloudEventAttributes(exampleDelivery("dlv_1", { emitterId: "p_1" })).source).toBe("/v1/workflows/p_1");
});

test("3.8 the time of a CloudEvent is the author's, else when it was emitted; without one that RFC 3339 can write, there is none", () => {
  const timeOf = (ts?: number): string | undefined =>
    cloudEventAttributes(exampleDelivery("dlv_1", ts === undefined ? {} : { ts })).time;
  expect([undefined, 7.5, -1, 1e300, 253_402_300_800_000, -62_167_219_200_001].map(timeOf)).toEqual([
    "1970-01-01T00:00:01.000Z",
    "1970-01-01T00:00:00.007Z",
    "1969-12-31T23:59:59.999Z",
    undefined,
    undefined,
    undefined,
  ]);
});

test("3.8 headers of a CloudEvent are percent-encoded", () => {
  const attributes = cloudEventAttributes(exampleDelivery("dlv_1", { eventName: 'é "100%"\u{1F600}' }));
  expect(Object.fromEntries(binaryHeaders(attributes))).toMatchObject({
    "ce-specversion": "1.0",
    "ce-source": "/v1/sources/dc_1",
    "ce-type": "%C3%A9%20%22100%25%22%F0%9F%98%80",
  });
});
