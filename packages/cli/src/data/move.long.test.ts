import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, onTestFinished, test } from "vitest";

import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../../../postgres/src/server.cases.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder, runX, type Spawned } from "../spawned.cases.ts";
import { counter, countIn, startLoad } from "./counting-load.cases.ts";

const reason = await missingServer();
const secretKey = "a passphrase of the tests";

async function stop(service: Spawned): Promise<void> {
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
}

describe.skipIf(reason !== undefined)("a service that moves", () => {
  test("to PostgreSQL and back under load keeps every request, its endpoint, its keys and its secrets", async () => {
    const schema = newSchema();
    onTestFinished(() => dropSchema(schema));
    await using folder = await makeFolder({ "counter.js": counter });
    const cwd = folder.path;
    const store = `${serverUrl}?schema=${schema}`;
    const x = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
      const { code, out, err } = await runX(args, { cwd, env });
      expect([code, err], args.join(" ")).toEqual([0, ""]);
      return out;
    };
    const acknowledged: number[] = [];
    /** Serves a place under load, then stops it; returns the path of its endpoint. */
    const serve = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
      const load = await startLoad(cwd, args, env, acknowledged.length * 2);
      await using service = load.service;
      await load.more(40);
      await load.stop();
      await stop(service);
      acknowledged.push(...load.acknowledged);
      return new URL(load.endpoint).pathname;
    };

    const endpoint = await serve(["--data", "one", "--props", "token=s3cret-of-a-prop"]);
    await x(["users", "add", "ada", "--data", "one"]);
    await x(["export", "one.x", "--data", "one"]);
    const toStore = await x(["import", "one.x", "--store", store, "--key-file", "one/x.key"], {
      X_NEW_SECRET_KEY: secretKey,
    });
    expect(toStore).toMatch(/has \d+ rows of one\.x; start it: X_SECRET_KEY=KEY x serve --store URL\n$/);
    expect(await serve([], { X_STORE: store, X_SECRET_KEY: secretKey })).toBe(endpoint);

    await x(["export", "two.x", "--store", store]);
    await x(["import", "two.x", "--data", "two"], { X_SECRET_KEY: secretKey });
    expect(readdirSync(join(cwd, "two")).toSorted()).toEqual(["x.db", "x.key", "x.lock"]);
    expect(await serve(["--data", "two"])).toBe(endpoint);
    expect(await x(["users", "list", "--data", "two"])).toContain("ada");

    const counted = countIn(join(cwd, "two/x.db"));
    expect([counted.waiting, counted.sent.length]).toEqual([0, counted.n]);
    expect(counted.hadToken).toBe(true);
    expect(new Set(counted.sent).size).toBe(counted.n);
    expect(acknowledged.filter((number) => !counted.sent.includes(number))).toEqual([]);
  });

  test("the users and the secret key of a schema are managed while no service has it", async () => {
    const schema = newSchema();
    onTestFinished(() => dropSchema(schema));
    await using folder = await makeFolder();
    const cwd = folder.path;
    const env = { X_STORE: `${serverUrl}?schema=${schema}`, X_SECRET_KEY: secretKey };
    const newKey = { X_NEW_SECRET_KEY: "another passphrase of the tests" };
    const none = await runX(["users", "list"], { cwd, env });
    expect([none.code, none.err]).toEqual([4, expect.stringContaining("there is no data in the schema") as string]);
    const added = await runX(["users", "add", "ada"], { cwd, env });
    expect([added.code, added.err, added.out]).toEqual([0, "", expect.stringContaining("User ada") as string]);

    const without = await runX(["secret-key", "rotate"], { cwd, env });
    expect([without.code, without.err]).toEqual([2, expect.stringContaining("--store needs the new key") as string]);
    const rotated = await runX(["secret-key", "rotate"], { cwd, env: { ...env, ...newKey } });
    expect([rotated.code, rotated.err]).toEqual([0, ""]);
    expect(rotated.out).toContain(`?schema=${schema} have a new key, the new one: start x serve with it.`);
    const wrong = await runX(["users", "list"], { cwd, env });
    expect([wrong.code, wrong.err]).toEqual([4, expect.stringContaining("error[secret_key_wrong]") as string]);
    const listed = await runX(["users", "list"], { cwd, env: { ...env, X_SECRET_KEY: newKey.X_NEW_SECRET_KEY } });
    expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/^local .*\nada .*\n$/) as string]);
    expect(await runSql(`SELECT count(*)::int AS n FROM "${schema}".user`)).toEqual([{ n: 2 }]);
  });
});

test("data of any size moves through little memory", async () => {
  await using folder = await makeFolder();
  const cwd = folder.path;
  await runHere(["users", "add", "ada", "--data", "data"], { cwd });
  const database = new DatabaseSync(join(cwd, "data/x.db"));
  // 80 MB of payloads, of which a heap of 40 MB holds less than half.
  database.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 800)
    INSERT INTO event (emitter_id, stream, ms, seq, name, emit_id, payload)
      SELECT 'dc_1', 0, n, 0, '', n, json_quote(hex(randomblob(50000))) FROM number`);
  database.close();
  const env = { NODE_OPTIONS: "--max-old-space-size=40" };
  const made = await runX(["export", "all.x", "--data", "data"], { cwd, env });
  expect([made.code, made.err]).toEqual([0, ""]);
  const filled = await runX(["import", "all.x", "--data", "new", "--key-file", "data/x.key"], { cwd, env });
  expect([filled.code, filled.err]).toEqual([0, ""]);
  await rm(join(cwd, "data"), { recursive: true });
  const copy = new DatabaseSync(join(cwd, "new/x.db"), { readOnly: true });
  expect(copy.prepare("SELECT count(*) AS n, sum(length(payload)) AS chars FROM event").all()).toEqual([
    { n: 800, chars: 800 * 100_002 },
  ]);
  copy.close();
});

test("command lines that cannot work say what to do, and make nothing", async () => {
  await using folder = await makeFolder({ "all.x": "no export" });
  const x = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  for (const [args, code, text] of [
    [["export"], 2, "Which FILE: x export FILE?"],
    [["export", "a"], 4, "there is no data in .x; set --data to another folder, or --store"],
    [["export", "a", "--data", "b", "--store", "postgres://h/d"], 2, "Either --data or --store"],
    [["export", "a", "--store", "mysql://h/d"], 2, "--store must be a postgres:// URL"],
    [["import", "b", "--data", "c"], 2, "There is no file b"],
    [["import", "all.x"], 2, "Where to: x import FILE --data DIR, or --store URL?"],
    [["import", "all.x", "--data", "c"], 4, "error[store_corrupt]"],
  ] as const) {
    const ended = await x(...args);
    expect([ended.code, ended.out, ended.err], args.join(" ")).toEqual([
      code,
      "",
      expect.stringContaining(text) as string,
    ]);
  }
  expect(readdirSync(folder.path)).toEqual(["all.x"]);
});
