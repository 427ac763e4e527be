import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { exportData, importData } from "@x/runtime";
import { movedTables } from "@x/runtime/store";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { exampleSource, putSource } from "../../store/src/conformance/examples.cases.ts";
import { everythingIn, fillWithEverything } from "../../store/src/move/everything.cases.ts";
import { openFolderRows } from "../../store/src/sqlite/row-source.ts";
import { openSqliteStore } from "../../store/src/sqlite/sqlite.ts";
import { parseSecretKey } from "../../store/src/sealed/secret-key.ts";
import { openPostgres } from "./postgres.ts";
import { openPostgresRows } from "./row-source.ts";
import { openPostgresTarget } from "./row-target.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "./server.cases.ts";

const reason = await missingServer();
const secretKey = "a passphrase of the tests";
const secret = parseSecretKey(secretKey);
const newSecretKey = "another passphrase of the tests";

describe.skipIf(reason !== undefined)("moving to PostgreSQL and back", () => {
  const schema = newSchema();
  const namespace = { url: serverUrl, schema };
  const made = mkdtempSync(join(tmpdir(), "x-move-"));
  const [data, file] = [join(made, "data"), join(made, "all.x")];
  const moved = { file, secretKey, newSecretKey, target: () => openPostgresTarget(namespace) };

  beforeAll(async () => {
    const store = await openSqliteStore({ folder: data });
    await fillWithEverything(store, secret);
    await store.close();
    await exportData({ data, file });
    await importData(moved);
  });
  afterAll(async () => {
    rmSync(made, { recursive: true });
    await dropSchema(schema);
  });

  test("every table and column of a schema is moved, or belongs to the running service", async () => {
    const columns = await runSql(
      `SELECT table_name AS "table", column_name AS name FROM information_schema.columns
        WHERE table_schema = $1 AND is_generated = 'NEVER'`,
      [schema],
    );
    const missing = columns.flatMap(({ table, name }) => {
      const known = movedTables.find((each) => each.name === table);
      if (!known) return [String(table)];
      return known.columns.some((column) => column.name === name) ? [] : [`${known.name}.${String(name)}`];
    });
    expect([...new Set(missing)].toSorted()).toEqual([
      "account_identity",
      "beat",
      "inbox.unseen",
      "message",
      "node",
      "schema_version",
      "sealing",
      "slot",
      "text.data",
      "usage_share",
    ]);
  });

  test("a schema has every row of the folder, and a folder every row of the schema", async () => {
    const before = await everythingIn(await openFolderRows(data), secret);
    const own = parseSecretKey(newSecretKey);
    expect(await everythingIn(await openPostgresRows(namespace), own)).toEqual(before);
    const back = join(made, "back");
    await exportData({ rows: () => openPostgresRows(namespace), file: join(made, "back.x") });
    await importData({ file: join(made, "back.x"), data: back, secretKey: newSecretKey, newSecretKey: secretKey });
    expect(await everythingIn(await openFolderRows(back), secret)).toEqual(before);
  });

  test("a store on the schema works: new items are listed after deleted ones, and shared payloads are released", async () => {
    const store = await openPostgres(namespace);
    await store.commit([putSource(exampleSource("dc_new", { nameSlug: "new" }))]);
    const after = await store.sources("u_1", { limit: 10, after: "dc_deleted" });
    expect(after.items.map(({ id }) => id)).toEqual(["dc_1"]);
    expect((await store.recoverTriggers()).map(({ id, crashes }) => [id, crashes])).toEqual([
      ["t_1", 0],
      ["t_2", 0],
    ]);
    await expect(importData(moved)).rejects.toMatchObject({ code: "store_locked" });
    const inUse = await openPostgresRows(namespace);
    expect(inUse.isInUse).toBe(true);
    await inUse.close();
    await store.commit([{ op: "trigger.remove", id: "t_1" }]);
    expect(await runSql(`SELECT uses::int AS uses FROM "${schema}".shared_payload`)).toEqual([{ uses: 2 }]);
    await store.close();
    await expect(importData(moved)).rejects.toThrow("an empty one, got one with data (user)");
  });

  test("a schema that an import could not fill is empty, and the next one fills it", async () => {
    const other = newSchema();
    onTestFinished(() => dropSchema(other));
    const target = () => openPostgresTarget({ url: serverUrl, schema: other });
    const cut = join(made, "cut.x");
    const lines = zstdDecompressSync(readFileSync(file)).toString().split("\n");
    writeFileSync(cut, zstdCompressSync(`${lines.slice(0, -2).join("\n")}\n`));
    await expect(importData({ ...moved, target, file: cut })).rejects.toMatchObject({ code: "store_corrupt" });
    expect(await runSql(`SELECT count(*)::int AS n FROM "${other}".user`)).toEqual([{ n: 0 }]);
    expect((await importData({ ...moved, target })).key).toBe("given");
    expect(await runSql(`SELECT count(*)::int AS n FROM "${other}".user`)).toEqual([{ n: 2 }]);
  });

  test("a schema without data is not exported, and is not created", async () => {
    const none = newSchema();
    const rows = () => openPostgresRows({ url: serverUrl, schema: none });
    await expect(exportData({ rows, file: join(made, "none.x") })).rejects.toThrow("which has none");
    expect(await runSql("SELECT 1 FROM pg_namespace WHERE nspname = $1", [none])).toEqual([]);
  });
});
