import { createRuntime, XError } from "@x/runtime";
import type { Change } from "@x/runtime/store";
import { Client, Pool } from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";

import {
  exampleAccount,
  exampleSource,
  exampleWebhook,
  putSource,
  setValue,
} from "../../store/src/conformance/examples.cases.ts";
import { migrations } from "./schema.ts";
import { openPostgres } from "./postgres.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "./server.cases.ts";

const reason = await missingServer();
const schema = newSchema();
const key = "a passphrase of the tests";

test.each([
  ["without a server", {}, "url"],
  ["with both", { url: serverUrl, pool: new Pool() }, "pool"],
  ["with another URL", { url: "mysql://host/db" }, "url"],
  ["with a name that needs quotes", { url: serverUrl, schema: 'a"b' }, "schema"],
])("options %s are refused", async (_, options, name) => {
  await expect(openPostgres(options)).rejects.toMatchObject({ code: "invalid_options" });
  await expect(openPostgres(options)).rejects.toThrow(name);
});

test("a server that does not answer is named by its problem alone", async () => {
  const error = await openPostgres({ url: "postgres://me:secret@127.0.0.1:1/db" }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: "store_unavailable" });
  expect(String(error)).toContain("ECONNREFUSED");
  expect(String(error)).not.toContain("secret");
});

describe.skipIf(reason !== undefined)("a schema of PostgreSQL", () => {
  afterAll(() => dropSchema(schema));

  test("a second service is refused until the first one ends", async () => {
    const first = await openPostgres({ url: serverUrl, schema });
    await expect(openPostgres({ url: serverUrl, schema })).rejects.toMatchObject({ code: "store_locked" });
    await first.commit([setValue("dc_1", "k", "1")]);
    await first.close();
    const second = await openPostgres({ url: `${serverUrl}?schema=${schema}` });
    expect(await second.db("dc_1")).toEqual(new Map([["k", "1"]]));
    await second.close();
  });

  test("schemas of one database are separate stores", async () => {
    const other = newSchema();
    onTestFinished(() => dropSchema(other));
    const stores = [
      await openPostgres({ url: serverUrl, schema }),
      await openPostgres({ url: serverUrl, schema: other }),
    ];
    await stores[0]?.commit([setValue("dc_2", "k", "1")]);
    expect(await stores[1]?.db("dc_2")).toEqual(new Map());
    for (const store of stores) await store.close();
  });

  test("a pool of the caller stays open, and serves several stores", async () => {
    const pool = new Pool({ connectionString: serverUrl, max: 6 });
    onTestFinished(() => pool.end());
    const other = newSchema();
    onTestFinished(() => dropSchema(other));
    const one = await openPostgres({ pool, schema });
    const two = await openPostgres({ pool, schema: other });
    await one.commit([setValue("dc_3", "k", "1")]);
    expect([(await one.db("dc_3")).size, (await two.db("dc_3")).size]).toEqual([1, 0]);
    await one.close();
    await two.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  test("a schema of a newer release is refused, and stays as it is", async () => {
    const newer = newSchema();
    onTestFinished(() => dropSchema(newer));
    await (await openPostgres({ url: serverUrl, schema: newer })).close();
    await runSql(`UPDATE "${newer}".schema_version SET version = 99`);
    await expect(openPostgres({ url: serverUrl, schema: newer })).rejects.toThrow(
      `has schema version 99; this release reads up to ${migrations.length}`,
    );
    expect(await runSql(`SELECT version FROM "${newer}".schema_version`)).toEqual([{ version: 99 }]);
  });

  test("a slug that another node gave out at the same time is refused", async () => {
    const store = await openPostgres({ url: serverUrl, schema });
    const put = (id: string, userId = "u_1"): Promise<void> =>
      store.commit([putSource(exampleSource(id, { userId, nameSlug: "one-feed" }))]);
    await put("dc_first");
    await put("dc_first");
    await put("dc_other", "u_2");
    await expect(put("dc_second")).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("one-feed"),
    });
    expect(await store.source("dc_second")).toBeUndefined();
    await store.close();
  });

  test("a transaction that the server ends because two wait for each other is repeated", async () => {
    const store = await openPostgres({ url: serverUrl, schema });
    const put = (at: number): readonly Change[] => [
      { op: "webhook.put", webhook: exampleWebhook("wh_1", { updatedAt: at }) },
      { op: "account.put", account: exampleAccount("apn_1", { updatedAt: at }) },
    ];
    await store.commit(put(1));
    const other = new Client({ connectionString: serverUrl });
    onTestFinished(() => other.end());
    await other.connect();
    // It waits longer, so that the server ends the commit.
    await other.query("SET deadlock_timeout = '20s'; BEGIN");
    await other.query(`UPDATE "${schema}".account SET app = app`);
    const committed = store.commit(put(2));
    await expect
      .poll(() => runSql("SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"))
      .not.toEqual([]);
    await other.query(`UPDATE "${schema}".webhook SET skipped = skipped`);
    await other.query("COMMIT");
    await committed;
    expect((await store.account("apn_1"))?.updatedAt).toBe(2);
    expect((await store.webhook("wh_1"))?.updatedAt).toBe(2);
    await store.close();
  });

  test("a text that no table can hold is not found", async () => {
    const store = await openPostgres({ url: serverUrl, schema });
    expect(await store.source("dc_\0")).toBeUndefined();
    expect(await store.component("\ud800")).toBeUndefined();
    await expect(store.sources("u_1", { limit: 1, after: "dc_\0" })).rejects.toMatchObject({
      code: "invalid_parameter",
    });
    await store.close();
  });

  test("a runtime encrypts secrets, needs its key, and refuses another one", async () => {
    const open = () => openPostgres({ url: serverUrl, schema });
    const runtime = await createRuntime({ store: await open(), secretKey: key, workers: 0 });
    const { user } = await runtime.user();
    await runtime.close();
    const [row] = await runSql(`SELECT record, api_key FROM "${schema}".user`);
    expect(user.apiKey).toMatch(/./);
    expect(JSON.stringify(row)).not.toContain(user.apiKey);

    const wrong = createRuntime({ store: await open(), secretKey: "another passphrase", workers: 0 });
    await expect(wrong).rejects.toMatchObject({ code: "secret_key_wrong" });
    const without = await open();
    await expect(createRuntime({ store: without })).rejects.toThrow("secretKey");
    await expect(createRuntime({ store: without, secretKey: key, data: "x" })).rejects.toThrow("absent beside data");
    await without.close();

    const again = await createRuntime({ store: await open(), secretKey: key, workers: 0 });
    expect((await again.user()).user).toEqual(user);
    await again.close();
    expect(XError.is(await again.start().catch((error: unknown) => error))).toBe(true);
  });
});
