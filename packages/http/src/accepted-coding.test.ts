import { expect, test } from "vitest";

import { acceptedCoding } from "./accepted-coding.ts";

test.each([
  ["br, gzip, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;q=1.0, BR;q=0.5", "gzip"],
  ["gzip;q=0, br;q=0", undefined],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["identity", undefined],
  ["identity;q=1, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["gzip;q=much, br; q=0.1", "br"],
  ["", undefined],
])("Accept-Encoding %j leads to %s", (accepted, coding) => {
  expect(acceptedCoding(accepted, ["br", "gzip"])).toBe(coding);
});

test("without the header, or without a copy in a coding, the content is sent as it is", () => {
  expect(acceptedCoding(null, ["br", "gzip"])).toBeUndefined();
  expect(acceptedCoding("br, gzip", [])).toBeUndefined();
  expect(acceptedCoding("br, gzip", ["gzip"])).toBe("gzip");
});
