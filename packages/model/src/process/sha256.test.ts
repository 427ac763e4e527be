import { expect, test } from "vitest";

import { sha256Hex } from "./sha256.ts";

test("G59 the hash is SHA-256 of the UTF-8 text", () => {
  expect(sha256Hex("é")).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])));
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});
