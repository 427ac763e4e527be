import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, expect, onTestFinished, test } from "vitest";

import { exampleSource, putSource } from "../conformance/examples.cases.ts";
import { openSealedStore } from "../sealed/open-sealed.ts";
import { parseSecretKey, readKeyFile } from "../sealed/secret-key.ts";
import { openFolderRows } from "../sqlite/row-source.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";
import { everythingIn, fillWithEverything } from "./everything.cases.ts";
import { exportData } from "./export-data.ts";
import { type DataImport, importData } from "./import-data.ts";
import { movedTables } from "./moved-tables.ts";

const secretKey = "a passphrase of the tests";
const secret = parseSecretKey(secretKey);
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const made = mkdtempSync(join(tmpdir(), "x-move-"));
const [data, file] = [join(made, "data"), join(made, "all.x")];
beforeAll(async () => {
  const store = await openSqliteStore({ folder: data });
  await fillWithEverything(store, secret);
  await store.close();
  await exportData({ data, file });
  return () => rmSync(made, { recursive: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-move-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a failed import may leave. */
const left = (folder: string): string[] => readdirSync(folder).filter((name) => name !== "x.lock");

/** The code with which an import is refused. It must leave nothing. */
async function refusal(options: Partial<DataImport>): Promise<unknown> {
  const folder = makeFolder();
  const error = await importData({ file, data: folder, secretKey, ...options }).catch((cause: unknown) => cause);
  expect(left(folder)).toEqual([]);
  return (error as { readonly code?: string }).code;
}

test("every table and column of a data file is moved, or is made anew", () => {
  const database = new DatabaseSync(join(data, "x.db"));
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const missing = tables.flatMap(({ name }) => {
    const moved = movedTables.find((table) => table.name === name);
    if (!moved) return [String(name)];
    const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(moved.name);
    return columns
      .filter((column) => !moved.columns.some((known) => known.name === column["name"]))
      .map((column) => `${moved.name}.${String(column["name"])}`);
  });
  database.close();
  // Digests of accounts are made by the key of the new store, at its first start.
  expect(missing.toSorted()).toEqual([
    "account_identity",
    "dedupe.position",
    "event.position",
    "sealing",
    "sqlite_sequence",
    "text.data",
    "text.family",
    "text.position",
  ]);
});

test("an import has every row of the store, with its secrets under the key of the new folder", async () => {
  const folder = makeFolder();
  const rows = await importData({ file, data: folder, secretKey });
  const before = await everythingIn(await openFolderRows(data), secret);
  expect(Object.entries(before).filter(([, each]) => each.length === 0)).toEqual([]);
  expect(rows).toEqual({ rows: Object.values(before).flat().length, key: "file" });
  const bytes = readKeyFile(join(folder, "x.key"));
  if (!bytes) throw new Error("no key");
  expect(await everythingIn(await openFolderRows(folder), { bytes })).toEqual(before);
  expect(statSync(join(folder, "x.db")).size).toBeLessThan(1.2 * statSync(join(data, "x.db")).size);

  const again = makeFolder();
  await exportData({ data: folder, file: join(again, "all.x") });
  await importData({
    file: join(again, "all.x"),
    data: join(again, "data"),
    keyFile: join(folder, "x.key"),
    newSecretKey: secretKey,
  });
  expect(left(join(again, "data"))).toEqual(["x.db"]);
  expect(await everythingIn(await openFolderRows(join(again, "data")), secret)).toEqual(before);
});

test("the file has no secret in plain text, and nobody else may read it", () => {
  const text = zstdDecompressSync(readFileSync(file)).toString();
  expect(text).toContain('"dc_1"');
  expect(text).not.toMatch(/key-of-u_|secret-of-a-prop|whsec_|credentials-of|client-secret/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an imported folder works: secrets open, work waits, and new items are listed after deleted ones", async () => {
  const folder = makeFolder();
  await importData({ file, data: folder, secretKey, newSecretKey: "another passphrase" });
  const inner = await openSqliteStore({ folder });
  const store = await openSealedStore(inner, { folder, secretKey: "another passphrase", logger });
  expect((await store.source("dc_1"))?.configuredProps).toEqual({ token: "secret-of-a-prop" });
  expect((await store.recoverTriggers()).map(({ id, crashes }) => ({ id, crashes }))).toEqual([
    { id: "t_1", crashes: 0 },
    { id: "t_2", crashes: 0 },
  ]);
  expect((await store.recoverTransitions()).map(({ crashes }) => crashes)).toEqual([1]);
  await store.commit([putSource(exampleSource("dc_new", { nameSlug: "new" }))]);
  const after = await store.sources("u_1", { limit: 10, after: "dc_deleted" });
  expect(after.items.map(({ id }) => id)).toEqual(["dc_1"]);
  await store.close();
});

test("an export that was cut off anywhere, or changed, is refused, and leaves nothing", async () => {
  const whole = readFileSync(file);
  const folder = makeFolder();
  const damaged = join(folder, "damaged.x");
  const cuts = Array.from({ length: 12 }, (_, n) => Math.floor((n * whole.length) / 12));
  // The last bytes are the checksum of the compression, beside that of the lines.
  for (const cut of [...cuts, whole.length - 20]) {
    writeFileSync(damaged, whole.subarray(0, cut));
    expect(await refusal({ file: damaged })).toBe("store_corrupt");
  }
  const lines = zstdDecompressSync(whole).toString("utf8").split("\n");
  const write = (text: readonly string[]): void =>
    writeFileSync(
      damaged,
      zstdCompressSync(Buffer.from(text.join("\n")), { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    );
  const events = lines.findIndex((line) => line.startsWith('{"table":"event"'));
  const changes: readonly (readonly string[])[] = [
    // Without its end, a row less, a row changed, a table less, something behind its end.
    lines.slice(0, -2),
    lines.toSpliced(events + 1, 1),
    lines.with(events + 1, (lines[events + 1] ?? "").replace("1000", "1001")),
    lines.toSpliced(events, 1),
    [...lines, "[]"],
  ];
  for (const changed of changes) {
    write(changed);
    expect(await refusal({ file: damaged })).toBe("store_corrupt");
  }
  writeFileSync(damaged, "another file");
  expect(await refusal({ file: damaged })).toBe("store_corrupt");

  write(lines.with(0, (lines[0] ?? "").replace('"version":1', '"version":2')));
  expect(await refusal({ file: damaged })).toBe("store_version");
  write(lines.with(events, (lines[events] ?? "").replace('"summary"', '"of_a_newer_release"')));
  expect(await refusal({ file: damaged })).toBe("store_version");
});

test("the key of the export is needed, and a store that is not empty is refused", async () => {
  expect(await refusal({ secretKey: undefined })).toBe("secret_key_missing");
  expect(await refusal({ secretKey: "another passphrase" })).toBe("secret_key_wrong");
  expect(await refusal({ newSecretKey: "short" })).toBe("invalid_options");
  await expect(importData({ file, data, secretKey })).rejects.toThrow("an empty folder, got one with x.db");
  const store = await openSqliteStore({ folder: data });
  await expect(importData({ file, data, secretKey })).rejects.toMatchObject({ code: "store_locked" });
  await store.close();
  await expect(exportData({ data, file })).rejects.toThrow("a file that does not exist");
});

test("a store that is in use is exported as it is at the start, which the result tells", async () => {
  const folder = makeFolder();
  const store = await openSqliteStore({ folder: data });
  const source = await openFolderRows(data);
  await store.commit([putSource(exampleSource("dc_later", { nameSlug: "later" }))]);
  expect(source.isInUse).toBe(true);
  expect(JSON.stringify(await everythingIn(source, secret))).not.toContain("dc_later");
  expect(await exportData({ data, file: join(folder, "all.x") })).toMatchObject({ inUse: true });
  await store.commit([{ op: "source.delete", id: "dc_later" }]);
  await store.close();
});
