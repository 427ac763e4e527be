import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createMemory } from "@x/runtime";
import { describe, expect, onTestFinished, test } from "vitest";

import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../../../postgres/src/server.cases.ts";
import { makeFolder, runX, spawnX } from "../spawned.cases.ts";
import { storeOptions } from "./open-store.ts";

const reason = await missingServer();
const secretKey = "a passphrase of the tests";
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const url = "postgres://host/db";

test("without the package, --store says what to install", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const { data } = storeOptions(url, { data: ".x", secretKey, logger }, () => Promise.reject(missing));
  await expect(data()).rejects.toThrow(
    "--store needs the package @x/postgres; install it beside x: npm install @x/postgres",
  );
});

test("the key is given, or in the file x.key of --data", async () => {
  await using folder = await makeFolder();
  const given = { data: folder.path, logger };
  const load = async () => ({ openPostgres: async () => createMemory().open() });
  expect(() => storeOptions(url, given, load)).toThrow("set X_SECRET_KEY, or put the key file x.key into");
  await writeFile(join(folder.path, "x.key"), "ab\n");
  expect(storeOptions(url, given, load).secretKey).toBe("ab");
  expect(storeOptions(url, { ...given, secretKey }, load).secretKey).toBe(secretKey);
  expect(await (await storeOptions(url, given, load).data()).users()).toEqual([]);
});

test("--store takes a URL of PostgreSQL only", async () => {
  const { code, err } = await runX(["serve", "--store", "mysql://host/db"]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("--store must be a postgres:// URL") });
});

const counter = `export default {
  name: "Counter", version: "1", props: { http: "$.interface.http", db: "$.service.db" },
  run({ body }) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({ n, sent: body.sent });
  },
};`;

describe.skipIf(reason !== undefined)("x serve on PostgreSQL", () => {
  test("after kill -9 under load, every acknowledged request has run once, and events equal the db", async () => {
    const schema = newSchema();
    onTestFinished(() => dropSchema(schema));
    await using folder = await makeFolder();
    const file = join(folder.path, "counter.js");
    await writeFile(file, counter);
    const args = ["serve", file, "--port", "0", "--json-logs", "--retention", "10000"];
    const env = { X_STORE: `${serverUrl}?schema=${schema}`, X_SECRET_KEY: secretKey, X_API_KEY: "k" };
    const sent = new Set<number>();
    const acknowledged = new Set<number>();
    for (let round = 0; round < 2; round += 1) {
      await using x = spawnX(args, { cwd: folder.path, env });
      const [, endpoint = ""] = await x.printed(/"endpoints":\["([^"]+)"/);
      const until = acknowledged.size + 60;
      const send = async (): Promise<void> => {
        while (acknowledged.size < until) {
          const number = sent.size;
          sent.add(number);
          const response = await fetch(endpoint, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ sent: number }),
          }).catch(() => undefined);
          if (response?.status === 200) acknowledged.add(number);
        }
        x.child.kill("SIGKILL");
      };
      await Promise.all(Array.from({ length: 8 }, send));
      await x.exit;
    }
    await using last = spawnX(args, { cwd: folder.path, env });
    await last.printed(/"base_url"/);
    const waiting = () => runSql(`SELECT count(*)::int AS n FROM "${schema}".inbox`);
    await expect.poll(waiting).toEqual([{ n: 0 }]);
    const rows = await runSql(`SELECT payload FROM "${schema}".event WHERE stream = 0 ORDER BY ms, seq`);
    const events = rows.map(({ payload }) => JSON.parse(String(payload)) as { n: number; sent: number });
    const ran = events.map((event) => event.sent);
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(ran).size).toBe(ran.length);
    expect([...acknowledged].filter((number) => !ran.includes(number))).toEqual([]);
    expect(await runSql(`SELECT value::int AS n FROM "${schema}".kv WHERE key = 'n'`)).toEqual([{ n: ran.length }]);
  });
});
