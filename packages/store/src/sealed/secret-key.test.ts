import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createKeyFile, isOpenToOthers, parseSecretKey, readKeyFile, secretBytes } from "./secret-key.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "x-key-"));
  file = join(folder, "x.key");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index * 7));

test.each([
  ["hex", bytes.toString("hex")],
  ["hex in capitals", bytes.toString("hex").toUpperCase()],
  ["base64", bytes.toString("base64")],
  ["base64 for URLs", bytes.toString("base64url")],
  ["hex with a line end, as a file holds it", `${bytes.toString("hex")}\n`],
])("G33 32 bytes in %s are the key", async (_, text) => {
  expect(await secretBytes(parseSecretKey(text), Buffer.alloc(16))).toEqual(bytes);
});

test("G33 a passphrase gives 32 bytes that depend on every letter and on the salt", async () => {
  const derive = async (text: string, salt: string): Promise<string> =>
    Buffer.from(await secretBytes(parseSecretKey(text), Buffer.from(salt))).toString("hex");
  const key = await derive("twelve chars", "salt");
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(parseSecretKey(" twelve chars\n")).toEqual(parseSecretKey("twelve chars"));
  expect(await derive("twelve charS", "salt")).not.toBe(key);
  expect(await derive("twelve chars", "pepper")).not.toBe(key);
});

test.each(["", " ", "short", "eleven char"])("G33 %j is too short for a key, which the error does not show", (text) => {
  const attempt = (): unknown => parseSecretKey(text);
  expect(attempt).toThrow(
    `Option "secretKey" must be 32 bytes in hex or base64, or a passphrase of at least 12 characters, got ${text.trim().length} characters.`,
  );
});

test("G33 a new key file holds a new key, and only its owner may read it", () => {
  const key = createKeyFile(file);
  expect(readKeyFile(file)).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(isOpenToOthers(file)).toBe(false);
  expect(readdirSync(folder)).toEqual(["x.key"]);
  rmSync(file);
  expect(createKeyFile(file)).not.toEqual(key);
});

test("G33 a key file is never overwritten, and the draft of a crashed process is replaced", () => {
  writeFileSync(`${file}.new`, "half");
  const key = createKeyFile(file);
  expect(() => createKeyFile(file)).toThrow("it exists already");
  expect(readKeyFile(file)).toEqual(key);
});

test("G33 a missing key file is no key; a file without a key is an error that names it", () => {
  expect(readKeyFile(file)).toBeUndefined();
  for (const text of ["", "short", `${"a".repeat(63)}g`, "a".repeat(65)]) {
    writeFileSync(file, text);
    expect(() => readKeyFile(file)).toThrow(
      `The key file ${file} cannot be used: it does not hold 64 hexadecimal digits`,
    );
  }
  rmSync(file);
  mkdirSync(file);
  expect(() => readKeyFile(file)).toThrow(`The key file ${file} cannot be used: it is not a file`);
});

test("G33 a pipe or a device instead of the key file is refused, not read", () => {
  execFileSync("mkfifo", [file]);
  expect(() => readKeyFile(file)).toThrow(`The key file ${file} cannot be used: it is not a file`);
  rmSync(file);
  symlinkSync("/dev/zero", file);
  expect(() => readKeyFile(file)).toThrow(`The key file ${file} cannot be used: it is not a file`);
});

test("G33 a key file can only be created in a writable folder", () => {
  const inside = join(folder, "none", "x.key");
  expect(() => createKeyFile(inside)).toThrow(expect.objectContaining({ code: "store_failed" }) as Error);
});

test("G33 a key file that others may read is detected", () => {
  writeFileSync(file, "", { mode: 0o644 });
  expect(isOpenToOthers(file)).toBe(true);
});
