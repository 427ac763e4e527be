import { expect, test } from "vitest";

import { createSeal } from "./seal.ts";

const secret = Buffer.alloc(32, 7);
const salt = Buffer.alloc(16, 3);
const seal = createSeal(secret, salt);
const owner = ["account", "apn_1", "u_1"];

test("G33 every text is decrypted unchanged", () => {
  for (const text of ["", "a", "\u{1F600}\0\u2028", "x".repeat(100_000), '{"a":1}']) {
    expect(seal.open(seal.close(text, owner), owner)).toBe(text);
  }
});

test("G33 sealing a text twice gives different results, which reveal nothing of it", () => {
  const sealed = Array.from({ length: 100 }, () => seal.close("topsecret-topsecret", owner));
  expect(new Set(sealed).size).toBe(100);
  for (const text of sealed) {
    expect(text).toMatch(/^sealed\.1\.[\w-]+$/);
    expect(Buffer.from(text.slice(9), "base64url").includes("topsecret")).toBe(false);
  }
});

test("G33 a sealed text opens only for its own record", () => {
  const sealed = seal.close("topsecret", owner);
  for (const other of [
    ["account", "apn_2", "u_1"],
    ["account", "apn_1", "u_2"],
    ["source", "apn_1", "u_1"],
    ["account", "apn_1"],
    ["account", 'apn_1","u_1'],
    [],
  ]) {
    expect(seal.open(sealed, other)).toBeUndefined();
  }
});

test("G33 a changed, cut or unsealed text does not open", () => {
  const sealed = seal.close("topsecret", owner);
  for (let index = 0; index < sealed.length; index++) {
    const letter = sealed[index] === "A" ? "B" : "A";
    const changed = sealed.slice(0, index) + letter + sealed.slice(index + 1);
    // Letters may share the bytes they stand for at the end only.
    if (Buffer.from(changed.slice(9), "base64url").equals(Buffer.from(sealed.slice(9), "base64url"))) continue;
    expect(seal.open(changed, owner)).toBeUndefined();
    expect(seal.open(sealed.slice(0, index), owner)).toBeUndefined();
  }
  for (const text of ["", "topsecret", "sealed.1.", "sealed.1.AAAA", sealed.replace(".1.", ".2.")]) {
    expect(seal.open(text, owner)).toBeUndefined();
  }
  expect(seal.open(undefined as unknown as string, owner)).toBeUndefined();
});

test("G33 another key or another salt opens nothing", () => {
  const sealed = seal.close("topsecret", owner);
  expect(createSeal(secret, salt).open(sealed, owner)).toBe("topsecret");
  expect(createSeal(Buffer.alloc(32, 8), salt).open(sealed, owner)).toBeUndefined();
  expect(createSeal(secret, Buffer.alloc(16, 4)).open(sealed, owner)).toBeUndefined();
});

test("G33 equal texts have equal digests only with the same key", () => {
  expect(seal.digest("key")).toBe(createSeal(secret, salt).digest("key"));
  expect(seal.digest("key")).not.toBe(seal.digest("key2"));
  expect(seal.digest("key")).not.toBe(createSeal(Buffer.alloc(32, 8), salt).digest("key"));
});
