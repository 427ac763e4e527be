import { chmodSync, existsSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createRuntime } from "@x/runtime";
import { describe, expect, onTestFinished, test } from "vitest";

import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../../../postgres/src/server.cases.ts";
import { freePort } from "../../../../test/free-port.ts";
import { serveLoopback } from "../loopback.cases.ts";
import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder, runX } from "../spawned.cases.ts";
import { judgeDisk } from "./check-folder.ts";
import { checkClock } from "./check-registry.ts";
import type { Finding } from "./finding.ts";

interface Report {
  readonly status: string;
  readonly findings: readonly Finding[];
  readonly exit_code: number;
}

const reason = await missingServer();

/** The findings of x doctor, without those of the disk, which is this machine's. */
async function examine(
  cwd: string,
  ...args: readonly string[]
): Promise<{ code: number; findings: readonly Finding[] }> {
  const port = args.includes("--port") ? [] : ["--port", String(await freePort())];
  const { code, out, err } = await runHere(["doctor", "--offline", "--json", ...port, ...args], { cwd });
  expect(err).toBe("");
  const report = JSON.parse(out) as Report;
  expect(report.exit_code).toBe(code);
  return { code, findings: report.findings.filter(({ check }) => check !== "disk") };
}

const bad = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ status }) => status === "warning" || status === "problem");

/** A folder with the data of a service that has ended. */
async function makeData(secretKey?: string): Promise<Awaited<ReturnType<typeof makeFolder>>> {
  const folder = await makeFolder();
  const data = join(folder.path, "data");
  await (await createRuntime({ data, workers: 0, ...(secretKey !== undefined && { secretKey }) })).close();
  return folder;
}

test("A8 an endpoint of an app that verifies nothing is a warning", async () => {
  await using folder = await makeFolder();
  await using service = await startServiceHere(folder.path);
  await service.runtime.putAppEndpoint({ app: "slack", secret: "s" });
  await service.runtime.putAppEndpoint({ app: "acme", scheme: "none", code: "export default { receive() {} };" });
  const { code, findings } = await examine(folder.path, "--data", "data");
  expect([code, bad(findings)]).toMatchObject([
    1,
    [{ check: "apps", status: "warning", found: "everybody who knows the URL can send events of acme" }],
  ]);
});

test("a new place and a place with data are well, beside a running service too, and nothing is changed", async () => {
  await using folder = await makeFolder();
  const fresh = await examine(folder.path, "--data", "data");
  expect([fresh.code, bad(fresh.findings)]).toEqual([0, []]);
  expect(fresh.findings.map(({ check }) => check)).toEqual([
    "node",
    "bundler",
    "packages",
    "port",
    "data folder",
    "store",
  ]);
  expect(existsSync(join(folder.path, "data"))).toBe(false);

  await using service = await startServiceHere(folder.path);
  const port = new URL(service.baseUrl).port;
  const running = await examine(folder.path, "--data", "data", "--port", port);
  expect([running.code, bad(running.findings)]).toEqual([0, []]);
  expect(running.findings.map(({ found }) => found).join("\n")).toMatch(
    /a service answers on 127\.0\.0\.1:\d+[^]*every page is intact, schema version \d+, in use by a service[^]*in data\/x\.key/,
  );
});

test("each finding says what to do, and the worst one is the exit code", async () => {
  await using folder = await makeData();
  await using other = await serveLoopback((_, response) => response.end("another program"));
  const data = join(folder.path, "data");
  chmodSync(join(data, "x.key"), 0o644);
  const warned = await examine(folder.path, "--data", "data");
  expect([warned.code, bad(warned.findings)]).toEqual([
    1,
    [
      {
        check: "data folder",
        status: "warning",
        found: `other users may read ${join(data, "x.key")}`,
        advice: `chmod 600 ${join(data, "x.key")}`,
      },
    ],
  ]);

  const { port } = new URL(other.url);
  const { code, out } = await runHere(["doctor", "--offline", "--data", "data", "--port", port], { cwd: folder.path });
  expect(code).toBe(4);
  expect(out).toContain(`problem  port         another program uses 127.0.0.1:${port}\n`);
  expect(out).toMatch(/^ {22}-> stop it \(ss -ltnp 'sport = :\d+'\), or choose another --port$/m);
  expect(out).toMatch(/^warning {2}data folder {2}other users may read/m);
});

test("data that no start would take is found", async () => {
  await using folder = await makeData();
  const data = join(folder.path, "data");
  const found = async (): Promise<unknown> => {
    const { code, findings } = await examine(folder.path, "--data", "data");
    return [code, ...bad(findings).map(({ check, found: text }) => `${check}: ${text}`)];
  };
  renameSync(join(data, "x.key"), join(data, "away"));
  expect(await found()).toEqual([4, expect.stringMatching(/^secret key: .* cannot be decrypted without their key/)]);
  writeFileSync(join(data, "x.key"), "a1".repeat(32), { mode: 0o600 });
  expect(await found()).toEqual([4, expect.stringMatching(/^secret key: .* cannot be decrypted with the key in/)]);
  renameSync(join(data, "away"), join(data, "x.key"));
  expect(await found()).toEqual([0]);

  const database = new DatabaseSync(join(data, "x.db"));
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  database.exec("PRAGMA user_version = 99");
  expect(await found()).toEqual([4, expect.stringMatching(/^store: .* has schema version 99/)]);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  truncateSync(join(data, "x.db"), statSync(join(data, "x.db")).size - 4096);
  expect(await found()).toEqual([4, expect.stringMatching(/^store: The data file .* is damaged/)]);
});

test("places that do not exist and wrong command lines are refused", async () => {
  await using folder = await makeFolder({ file: "text" });
  const { code, findings } = await examine(folder.path, "--data", "file", "--host", "192.0.2.1", "--registry", "none");
  expect([code, bad(findings).map(({ check, found }) => `${check}: ${found}`)]).toEqual([
    4,
    [
      "port: 192.0.2.1 is no address of this machine",
      "data folder: file is no folder",
      `components: the registry ${join(folder.path, "none")} does not exist`,
    ],
  ]);
  expect((await runHere(["doctor", "now"])).code).toBe(2);
  expect((await runHere(["doctor", "--store", "mysql://h/d"])).code).toBe(2);
});

test("the clock of the npm registry is compared, and a registry that does not answer is a warning", async () => {
  await using folder = await makeFolder();
  const slowMs = 600_000;
  await using registry = await serveLoopback((_, response) => {
    response.setHeader("date", new Date(Date.now() + slowMs).toUTCString()).end();
  });
  const x = async (url: string): Promise<Report> => {
    const args = ["doctor", "--json", "--data", "data", "--port", String(await freePort())];
    return JSON.parse((await runX(args, { cwd: folder.path, env: { npm_config_registry: url } })).out) as Report;
  };
  const behind = (await x(registry.url)).findings.filter(({ check }) => /npm|clock/.test(check));
  expect(behind).toMatchObject([
    { check: "npm registry", status: "ok", found: `${registry.url} answers` },
    { check: "clock", status: "problem", found: expect.stringMatching(/^(?:599|600|601) s slow: /) as string },
  ]);
  const dead = `http://127.0.0.1:${await freePort()}`;
  const none = (await x(dead)).findings.filter(({ check }) => /npm|clock/.test(check));
  expect(none).toMatchObject([
    { check: "npm registry", status: "warning", found: `${dead} does not answer (ECONNREFUSED)` },
    { check: "clock", status: "skipped" },
  ]);
});

test.each([
  [50 * 2 ** 20, 0, "problem"],
  [500 * 2 ** 20, 0, "warning"],
  [2 * 2 ** 30, 3 * 2 ** 30, "warning"],
  [2 * 2 ** 30, 2 ** 30, "ok"],
])("%d free bytes beside %d bytes of data: %s", (free, used, status) => {
  expect(judgeDisk(free, used).status).toBe(status);
});

test.each([
  [400, "ok"],
  [-20_000, "ok"],
  [31_000, "warning"],
  [-400_000, "problem"],
  [undefined, "skipped"],
])("a clock that differs by %s ms: %s", (ahead, status) => {
  expect(checkClock(ahead).status).toBe(status);
});

describe.skipIf(reason !== undefined)("on PostgreSQL", () => {
  test("the server, the schema and the secret key are checked", async () => {
    const schema = newSchema();
    onTestFinished(() => dropSchema(schema));
    await using folder = await makeFolder();
    const port = String(await freePort());
    const x = async (url: string, env: Record<string, string> = {}): Promise<readonly string[]> => {
      const args = ["doctor", "--offline", "--json", "--port", port, "--store", url];
      const { code, out } = await runX(args, { cwd: folder.path, env });
      const findings = (JSON.parse(out) as Report).findings.slice(4);
      return [String(code), ...findings.map(({ check, status, found }) => `${status} ${check}: ${found}`)];
    };
    const url = `${serverUrl}?schema=${schema}`;
    expect(await x(url)).toEqual([
      "1",
      expect.stringMatching(/^ok store: .*, PostgreSQL \d.*, no data yet; the first start creates it$/),
      "warning secret key: none is given, and --store needs one",
    ]);
    expect(await runSql("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).toEqual([]);

    const env = { X_STORE: url, X_SECRET_KEY: "a passphrase of the tests" };
    expect((await runX(["users", "add", "ada"], { cwd: folder.path, env })).code).toBe(0);
    expect(await x(url, env)).toEqual([
      "0",
      expect.stringMatching(/^ok store: .*, schema version \d+$/),
      "ok secret key: in X_SECRET_KEY",
    ]);
    const record = JSON.stringify({ verification: { scheme: "none" } });
    await runSql(`INSERT INTO "${schema}".app_endpoint VALUES ('u_1', 'acme', 'k1', '${record}')`);
    expect(await x(url, env)).toEqual([
      "1",
      expect.stringMatching(/^ok store: /),
      "ok secret key: in X_SECRET_KEY",
      "warning apps: everybody who knows the URL can send events of acme",
    ]);
    expect(await x(url, { X_SECRET_KEY: "another passphrase" })).toEqual([
      "4",
      expect.stringMatching(/^ok store: /),
      expect.stringMatching(/^problem secret key: .* cannot be decrypted with the given secret key/),
      expect.stringMatching(/^warning apps: /),
    ]);
    expect(await x(`postgres://127.0.0.1:${port}/test`, env)).toEqual([
      "4",
      expect.stringMatching(/^problem store: The store cannot be reached at the moment \(ECONNREFUSED\)/),
    ]);
  });
});
