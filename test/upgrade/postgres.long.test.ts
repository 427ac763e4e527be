import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";

import { describe, expect, onTestFinished, test } from "vitest";

import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import { migrations } from "../../packages/postgres/src/schema.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../../packages/postgres/src/server.cases.ts";
import { continueService, type Expected, expectToGoOn } from "./former-service.ts";

/** Dumps of schemas as services of former commits left them: `scripts/upgrade-fixtures.sh`. */
const fixtures = fileURLToPath(new URL("postgres", import.meta.url));
const versions = readdirSync(fixtures).toSorted();
const reason = await missingServer();
const secretKey = "a passphrase of the fixture";

/** Fills a new schema with the dump. */
async function restore(version: string): Promise<string> {
  const schema = newSchema();
  onTestFinished(() => dropSchema(schema));
  const dump = zstdDecompressSync(readFileSync(join(fixtures, version, "dump.sql.zst"))).toString();
  const statements = dump.replaceAll(/^\\.*$/gm, "").replaceAll(/(?<![-\w])"?fixture"?(?=[.;])/g, `"${schema}"`);
  await runSql(statements);
  return schema;
}

type Rows = readonly { readonly [column: string]: unknown }[];

/** Of the running service, and the version itself. */
const notKept = /^(?:service|node|beat|slot|message|schema_version)$/;

async function tablesIn(schema: string): Promise<readonly string[]> {
  const found = await runSql("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [schema]);
  return found.map(({ name }) => String(name)).filter((name) => !notKept.test(name));
}

const rowsOf = (schema: string, table: string): Promise<Rows> => runSql(`SELECT * FROM "${schema}"."${table}"`);

test("there is a dump of every schema version but the one that this release writes", () => {
  const numbers = versions.map((version) => Number(version.slice(1)));
  expect(numbers).toEqual(numbers.map((_, index) => 1 + index));
  expect(numbers.length).toBeGreaterThanOrEqual(migrations.length - 1);
});

describe.skipIf(reason !== undefined).each(versions)("a schema of version %s", (version) => {
  const expected = JSON.parse(readFileSync(join(fixtures, version, "expected.json"), "utf8")) as Expected;

  test("keeps every row when it is updated", async () => {
    const schema = await restore(version);
    const before = new Map<string, Rows>();
    for (const table of await tablesIn(schema)) before.set(table, await rowsOf(schema, table));
    expect([...before.values()].flat().length).toBeGreaterThan(15);
    await (await openPostgres({ url: serverUrl, schema })).close();
    for (const [table, rows] of before) {
      const after = await rowsOf(schema, table);
      expect(after.length, table).toBe(rows.length);
      for (const row of rows) expect(after, table).toContainEqual(expect.objectContaining(row));
    }
  });

  test("answers as it did, with its secrets, and its sources go on where they were", async () => {
    const schema = await restore(version);
    const store = await openPostgres({ url: serverUrl, schema });
    await using service = await continueService(expected, { store, secretKey });
    await expectToGoOn(service, expected);
    expect((await service.events()).length).toBe(6);
  });
});
