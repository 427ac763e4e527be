import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";

import { createRuntime } from "../../../runtime/src/runtime.ts";
import { backupData } from "../sqlite/backup.ts";
import { restoreData } from "./restore.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with one user, its backup, and the API key of the user. */
async function makeBackup(secretKey?: string): Promise<{ data: string; file: string; apiKey: string }> {
  const data = makeFolder();
  const file = join(makeFolder(), "backup.db");
  const runtime = await createRuntime({ data, workers: 0, ...(secretKey !== undefined && { secretKey }) });
  const { apiKey } = (await runtime.user()).user;
  await backupData({ data, file });
  await runtime.close();
  return { data, file, apiKey };
}

async function apiKeyIn(data: string, secretKey?: string): Promise<string> {
  await using runtime = await createRuntime({ data, workers: 0, ...(secretKey !== undefined && { secretKey }) });
  return (await runtime.user()).user.apiKey;
}

test("a restored folder opens with its key, which a restore checks and puts in its place", async () => {
  const { data, file, apiKey } = await makeBackup();
  const restored = join(makeFolder(), "new");
  await expect(restoreData({ file, data: restored })).rejects.toMatchObject({ code: "secret_key_missing" });
  const other = join((await makeBackup()).data, "x.key");
  await expect(restoreData({ file, data: restored, keyFile: other })).rejects.toMatchObject({
    code: "secret_key_wrong",
  });
  expect(readdirSync(restored)).toEqual(["x.lock"]);

  expect(await restoreData({ file, data: restored, keyFile: join(data, "x.key") })).toEqual({ key: "file" });
  expect(statSync(join(restored, "x.key")).mode & 0o777).toBe(0o600);
  expect(await apiKeyIn(restored)).toBe(apiKey);
});

test("a key file that is there already is used, and never replaced", async () => {
  const { data, file, apiKey } = await makeBackup();
  const [restored, foreign] = [makeFolder(), makeFolder()];
  copyFileSync(join(data, "x.key"), join(restored, "x.key"));
  await restoreData({ file, data: restored });
  expect(await apiKeyIn(restored)).toBe(apiKey);

  writeFileSync(join(foreign, "x.key"), "a".repeat(64));
  await expect(restoreData({ file, data: foreign, keyFile: join(data, "x.key") })).rejects.toThrow("another key");
  expect(readFileSync(join(foreign, "x.key"), "utf8")).toBe("a".repeat(64));
});

test("a backup with a given key needs no key file; the key is checked when it is given", async () => {
  const { file, apiKey } = await makeBackup("a passphrase of the tests");
  const wrong = restoreData({ file, data: makeFolder(), secretKey: "another passphrase" });
  await expect(wrong).rejects.toMatchObject({ code: "secret_key_wrong" });
  for (const secretKey of [undefined, "a passphrase of the tests"]) {
    const restored = makeFolder();
    expect(await restoreData({ file, data: restored, secretKey })).toEqual({ key: "given" });
    expect(readdirSync(restored).toSorted()).toEqual(["x.db", "x.lock"]);
    expect(await apiKeyIn(restored, "a passphrase of the tests")).toBe(apiKey);
  }
});

test("a folder in use and a folder with anything in it are refused, and stay as they are", async () => {
  const { data, file } = await makeBackup();
  const keyFile = join(data, "x.key");
  const running = await createRuntime({ data, workers: 0 });
  await expect(restoreData({ file, data, keyFile })).rejects.toMatchObject({ code: "store_locked" });
  await running.close();
  await expect(restoreData({ file, data, keyFile })).rejects.toThrow("an empty folder, got one with x.db");

  const other = makeFolder();
  writeFileSync(join(other, "notes"), "mine");
  await expect(restoreData({ file, data: other, keyFile })).rejects.toThrow("an empty folder, got one with notes");
  expect(readdirSync(other)).toEqual(["notes"]);
});

test("what is not a whole backup is refused, and leaves no data file", async () => {
  const { data, file } = await makeBackup();
  const keyFile = join(data, "x.key");
  const cut = join(makeFolder(), "cut.db");
  copyFileSync(file, cut);
  truncateSync(cut, statSync(file).size - 4096);
  const text = join(makeFolder(), "text");
  writeFileSync(text, "not a database, but a text of more than a hundred bytes ".repeat(20));
  const open = join(makeFolder(), "x.db");
  copyFileSync(file, open);
  writeFileSync(`${open}-wal`, "");
  const newer = join(makeFolder(), "newer.db");
  copyFileSync(file, newer);
  const database = new DatabaseSync(newer);
  database.exec("PRAGMA user_version = 99");
  database.close();

  for (const [given, code] of [
    [cut, "store_corrupt"],
    [text, "store_corrupt"],
    [open, "store_corrupt"],
    [newer, "store_version"],
    [join(data, "nothing"), "invalid_options"],
  ] as const) {
    const target = makeFolder();
    await expect(restoreData({ file: given, data: target, keyFile }), given).rejects.toMatchObject({ code });
    expect(readdirSync(target).filter((name) => name !== "x.lock")).toEqual([]);
  }
});
