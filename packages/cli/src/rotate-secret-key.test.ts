import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runHere } from "./run-here.cases.ts";
import { makeFolder, runX } from "./spawned.cases.ts";

test("G33 the key of a folder changes from file to file, to a given one, and back", async () => {
  await using folder = await makeFolder();
  const x = (...args: readonly string[]) => runHere([...args, "--data", "data"], { cwd: folder.path });
  const keyFile = join(folder.path, "data/x.key");
  await x("users", "add", "acme");
  const key = await readFile(keyFile, "utf8");

  const renewed = await x("secret-key", "rotate");
  expect([renewed.code, renewed.err]).toEqual([0, ""]);
  expect(renewed.out).toBe(
    `The secrets in data have a new key, the one in ${join("data", "x.key")}.\nEarlier backups need the old key.\n`,
  );
  expect(await readFile(keyFile, "utf8")).not.toBe(key);
  expect((await x("users", "list")).out).toContain("acme");

  const given = "0b".repeat(32);
  const moved = await x("secret-key", "rotate", "--new-secret-key", given, "--json");
  expect([moved.code, JSON.parse(moved.out)]).toEqual([0, { data: "data", key: "given" }]);
  expect(existsSync(keyFile)).toBe(false);
  expect((await x("users", "list")).err).toContain("error[secret_key_missing]");

  const env = { X_SECRET_KEY: given, X_NEW_SECRET_KEY: "a5".repeat(32) };
  const again = await runX(["secret-key", "rotate", "--data", "data"], { cwd: folder.path, env });
  expect([again.code, again.out.includes(env.X_NEW_SECRET_KEY)]).toEqual([0, false]);
  const back = await x("secret-key", "rotate", "--secret-key", env.X_NEW_SECRET_KEY);
  expect([back.code, back.err]).toEqual([0, ""]);
  expect((await x("users", "list")).out).toContain("acme");
});

test.each([
  [[], 2, "x secret-key rotate"],
  [["rotate", "now"], 2, '"now" is one argument too many'],
  [["rotate", "--data", "elsewhere"], 4, "there is no data in elsewhere"],
])("x secret-key %j is refused", async (words, code, text) => {
  await using folder = await makeFolder();
  const refused = await runHere(["secret-key", ...words], { cwd: folder.path });
  expect([refused.code, refused.out]).toEqual([code, ""]);
  expect(refused.err).toContain(text);
});
