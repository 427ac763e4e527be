import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import type { Logger } from "../../../model/src/logger.ts";
import { applicationId, migrate, migrations } from "../sqlite/schema.ts";
import type { Change, Store } from "../contract.ts";
import { exampleAccount, exampleSource, exampleUser, exampleWebhook } from "../conformance/examples.cases.ts";
import { openSealedStore } from "./open-sealed.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";

let folder: string;
let keyFile: string;
const open: Store[] = [];
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "x-sealed-"));
  keyFile = join(folder, "x.key");
  warnings = [];
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const logger: Logger = { info() {}, error() {}, warn: (message) => void warnings.push(message) };

/** Opens as the runtime does; a failure closes the store again. */
async function openStore(secretKey?: string, change: (engine: Store) => Store = (engine) => engine): Promise<Store> {
  const engine = await openSqliteStore({ folder });
  try {
    const store = await openSealedStore(change(engine), { folder, secretKey, logger });
    open.push(store);
    return store;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function closeAll(): Promise<void> {
  for (const store of open.splice(0)) await store.close();
}

const user = exampleUser("u_1", { apiKey: "SECRET-api-key-1" });
const webhook = exampleWebhook("wh_1", {
  signingKey: "whsec_SECRETsigning",
  previousKeys: [{ key: "whsec_SECRETprevious", until: 9 }],
});
const account = exampleAccount("apn_1", { auth: { token: "SECRET-credentials" } });
const sources = Array.from({ length: 250 }, (_, n) =>
  exampleSource(`dc_${n}`, { configuredProps: { token: `SECRET-prop-${n}`, filler: "f".repeat(100) } }),
);
const records: Change[] = [
  { op: "user.put", user },
  { op: "webhook.put", webhook },
  ...sources.slice(0, 3).map((source): Change => ({ op: "source.put", source })),
];

/** Files of the folder, but for the key, that hold the text as bytes. */
function filesWith(text: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== "x.key")
    .filter((name) => readFileSync(join(folder, name)).includes(text));
}

/** A folder as a release before wrote it: everything plain, some of it deleted. */
function makePlainFolder(): void {
  const database = new DatabaseSync(join(folder, "x.db"));
  migrate(database, migrations.slice(0, 2));
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA journal_mode = WAL; BEGIN`);
  database
    .prepare("INSERT INTO user (id, api_key, record) VALUES (?, ?, ?)")
    .run(user.id, user.apiKey, JSON.stringify(user));
  const insert = database.prepare("INSERT INTO source (id, user_id, name_slug, record) VALUES (?, ?, ?, ?)");
  for (const source of sources) insert.run(source.id, source.userId, source.nameSlug, JSON.stringify(source));
  const { skipped, ...record } = webhook;
  database
    .prepare("INSERT INTO webhook (id, user_id, skipped, record) VALUES (?, ?, ?, ?)")
    .run("wh_1", "u_1", skipped, JSON.stringify(record));
  database.exec("COMMIT; DELETE FROM source WHERE id = 'dc_249'");
  database.close();
}

const rows = (): unknown => {
  const database = new DatabaseSync(join(folder, "x.db"), { readOnly: true });
  const found = ["user", "source", "webhook"].map((table) => database.prepare(`SELECT * FROM ${table}`).all());
  const sealing = database.prepare("SELECT * FROM sealing").all();
  database.close();
  return { found, sealing };
};

test("G33 the first start creates a key; the files contain no secret, and the next start reads every record", async () => {
  const first = await openStore();
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const key = readFileSync(keyFile, "utf8");
  await first.commit([...records, { op: "account.put", account }]);
  // The write-ahead log holds what was committed.
  expect(statSync(join(folder, "x.db-wal")).size).toBeGreaterThan(0);
  expect(filesWith("SECRET")).toEqual([]);
  await closeAll();
  expect(filesWith("SECRET")).toEqual([]);
  expect(filesWith("u_1")).toEqual(["x.db"]);
  const second = await openStore();
  expect(await second.users()).toEqual([user]);
  expect(await second.webhook("wh_1")).toEqual(webhook);
  expect(await second.source("dc_2")).toEqual(sources[2]);
  expect(await second.account("apn_1")).toEqual(account);
  expect(readFileSync(keyFile, "utf8")).toBe(key);
  expect(warnings).toEqual([]);
});

test("G33 the secrets of an older folder are encrypted when it opens, and its files contain none in plain text", async () => {
  makePlainFolder();
  expect(filesWith("SECRET-prop-249")).toEqual(["x.db"]);
  const store = await openStore();
  expect(filesWith("SECRET")).toEqual([]);
  expect(await store.users()).toEqual([user]);
  expect(await store.allWebhooks()).toEqual([webhook]);
  const page = await store.sources("u_1", { limit: 100 });
  expect(page.totalCount).toBe(249);
  expect(page.items.slice(0, 2)).toEqual([sources[248], sources[247]]);
  for (const source of sources.slice(0, 249)) expect(await store.source(source.id)).toEqual(source);
  await closeAll();
  expect(filesWith("SECRET")).toEqual([]);
  expect(await (await openStore()).source("dc_7")).toEqual(sources[7]);
});

test("G33 plain records are encrypted together or not at all; the new key stays", async () => {
  makePlainFolder();
  const broken = openStore(undefined, (engine) => ({
    ...engine,
    commit: () => Promise.reject(new XError("store_failed", ["commit", "the test says so"])),
  }));
  await expect(broken).rejects.toMatchObject({ code: "store_failed" });
  const key = readFileSync(keyFile, "utf8");
  expect(rows()).toMatchObject({ sealing: [] });
  expect(filesWith("SECRET-prop-7")).toEqual(["x.db"]);
  const store = await openStore();
  expect(readFileSync(keyFile, "utf8")).toBe(key);
  expect(await store.source("dc_7")).toEqual(sources[7]);
});

test("G33 a failed sweep is logged, and repeated at the next start", async () => {
  makePlainFolder();
  const sweep = (): Promise<void> => Promise.reject(new XError("store_failed", ["sweep", "the disk is full"]));
  const store = await openStore(undefined, (engine) => ({ ...engine, sweep }));
  expect(warnings).toHaveLength(1);
  expect(await store.users()).toEqual([user]);
  await closeAll();
  expect(filesWith("SECRET")).toEqual(["x.db"]);
  await openStore();
  expect(filesWith("SECRET")).toEqual([]);
  expect(warnings).toHaveLength(1);
});

const given = "a passphrase that was given";
const other = "5f".repeat(32);

const prepared = new Map<string | undefined, string>();
afterAll(() => {
  for (const path of prepared.values()) rmSync(path, { recursive: true });
});

/** Fills the folder as a start with this key leaves it, and a crash: starts that fail must not take it for a clean end. */
async function useKeptFolder(key: string | undefined): Promise<void> {
  const kept = prepared.get(key);
  if (kept !== undefined) {
    cpSync(kept, folder, { recursive: true });
    return;
  }
  await (await openStore(key)).commit(records);
  await closeAll();
  const database = new DatabaseSync(join(folder, "x.db"));
  database.exec(`INSERT INTO inbox (id, source_id, type, at, crashes, hops, running, event)
    VALUES ('t_1', 'dc_1', 'TIMER', 1, 0, 0, 1, '{}'); PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL`);
  database.close();
  const copy = mkdtempSync(join(tmpdir(), "x-sealed-"));
  cpSync(folder, copy, { recursive: true });
  prepared.set(key, copy);
}

test("G33 a given key needs no file", async () => {
  await useKeptFolder(given);
  expect(existsSync(keyFile)).toBe(false);
  expect(await (await openStore(given)).users()).toEqual([user]);
});

test.each<[string, string | undefined, () => void, string | undefined, string, string]>([
  ["another key file", undefined, () => writeFileSync(keyFile, other), undefined, "secret_key_wrong", "the key in"],
  [
    "a key instead of the file",
    undefined,
    () => undefined,
    other,
    "secret_key_wrong",
    "restore that file, and start without",
  ],
  ["no key file any more", undefined, () => rmSync(keyFile), undefined, "secret_key_missing", "x.key, which x created"],
  [
    "a damaged key file",
    undefined,
    () => writeFileSync(keyFile, "5f"),
    undefined,
    "secret_key_unreadable",
    "64 hexadecimal digits",
  ],
  [
    "an unreadable key file",
    undefined,
    () => (rmSync(keyFile), mkdirSync(keyFile)),
    undefined,
    "secret_key_unreadable",
    "is not a file",
  ],
  ["another passphrase", given, () => undefined, `${given}!`, "secret_key_wrong", "X_SECRET_KEY"],
  ["no passphrase any more", given, () => undefined, undefined, "secret_key_missing", "X_SECRET_KEY"],
  [
    "a key file instead of the passphrase",
    given,
    () => writeFileSync(keyFile, other),
    undefined,
    "secret_key_wrong",
    "the key in",
  ],
])(
  "G33 with %s the start is refused with a clear error and changes nothing",
  async (_, first, spoil, second, code, text) => {
    await useKeptFolder(first);
    spoil();
    const before = { files: readdirSync(folder).toSorted(), data: readFileSync(join(folder, "x.db")) };
    const refused = await openStore(second).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code });
    expect(String(refused)).toContain(text);
    expect(String(refused)).toContain(folder);
    expect(String(refused)).not.toContain(given);
    const after = { files: readdirSync(folder).toSorted(), data: readFileSync(join(folder, "x.db")) };
    expect(after.files).toEqual(before.files);
    expect(after.data.equals(before.data)).toBe(true);
  },
);

test("G33 the content of a key file may be given as the key", async () => {
  await (await openStore()).commit(records);
  await closeAll();
  const key = readFileSync(keyFile, "utf8");
  rmSync(keyFile);
  expect(await (await openStore(key)).users()).toEqual([user]);
});

test("G33 a key file that others may read is logged, also at the first start with it", async () => {
  await (await openSqliteStore({ folder })).close();
  writeFileSync(keyFile, "ab".repeat(32), { mode: 0o644 });
  await openStore();
  expect(warnings).toEqual(["other users may read the key file; run chmod 600 on it"]);
});

test("G33 a key file that others may read is logged", async () => {
  await openStore();
  await closeAll();
  const key = readFileSync(keyFile);
  rmSync(keyFile);
  writeFileSync(keyFile, key, { mode: 0o644 });
  await openStore();
  expect(warnings).toEqual(["other users may read the key file; run chmod 600 on it"]);
});
