import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { addEvent, addTrigger, exampleEvent, exampleTrigger } from "../../store/src/conformance/examples.cases.ts";
import { bytes, eventually, openNode, ownedBy, textOf } from "./cluster/node.cases.ts";
import { openPostgres } from "./postgres.ts";
import { dropSchema, missingServer, newSchema, serverUrl } from "./server.cases.ts";

/** Why the tests cannot run; printed once. */
async function missing(): Promise<string | undefined> {
  const found = spawnSync("pgbouncer", ["--version"]);
  if (found.error === undefined) return missingServer();
  process.stderr.write("skipped: pgbouncer is not installed\n");
  return "no pgbouncer";
}

const reason = await missing();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await vi.waitUntil(() => server.listening);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

describe.skipIf(reason !== undefined)("behind pgbouncer in transaction mode", () => {
  const schema = newSchema();
  const folder = mkdtempSync(join(tmpdir(), "x-pgbouncer-"));
  let url = "";
  let stop = (): void => undefined;
  beforeAll(async () => {
    const port = await freePort();
    const { username, uid } = userInfo();
    const file = join(folder, "pgbouncer.ini");
    writeFileSync(
      file,
      `[databases]
test = host=127.0.0.1 port=5432 dbname=test user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
      { mode: 0o644 },
    );
    // It refuses to run as root.
    const child = spawn("pgbouncer", ["-q", ...(uid === 0 ? ["-u", "nobody"] : []), file], { stdio: "ignore" });
    stop = () => void child.kill("SIGKILL");
    url = `postgres://${username}@127.0.0.1:${port}/test`;
    await eventually(async () => {
      const client = new Client({ connectionString: url });
      client.on("error", () => undefined);
      await client.connect();
      await client.end();
    });
  });
  afterAll(async () => {
    stop();
    rmSync(folder, { recursive: true, force: true });
    await dropSchema(schema);
  });

  test("two nodes share their sources, ask each other and find each other's triggers", async () => {
    const namespace = { url, directUrl: serverUrl, schema };
    const [one, two] = [await openNode(namespace), await openNode(namespace)];
    await eventually(() => expect([one.slots.size, two.slots.size]).toEqual([512, 512]));
    const sourceId = ownedBy(two);
    expect(textOf(await one.cluster.ask(sourceId, "greet", bytes("")))).toContain(two.cluster.nodeId);
    await one.store.commit([addTrigger(exampleTrigger("t_1", { sourceId }))]);
    await eventually(() => expect(two.triggered).toEqual(["t_1"]));
    // More at once than the pooler has connections.
    const commits = Array.from({ length: 40 }, (_, n) =>
      two.store
        .commit([addEvent(exampleEvent(1, 0, { emitterId: `dc_${n}` }))])
        .then(() => one.store.events(`dc_${n}`, "emits", { limit: 1, retention: 1 })),
    );
    expect((await Promise.all(commits)).map(({ totalCount }) => totalCount)).toEqual(commits.map(() => 1));
    await two.close();
    await eventually(() => expect(one.slots.size).toBe(1_024));
    await one.close();
  });

  test("the schema is still for one service where it must be", async () => {
    const first = await openPostgres({ url: `${url}?schema=${schema}&direct=127.0.0.1:5432` });
    await expect(openPostgres({ url: serverUrl, schema })).rejects.toMatchObject({ code: "store_locked" });
    await first.close();
    await expect(openPostgres({ url, directUrl: "nothing", schema })).rejects.toThrow("directUrl");
    await expect(openPostgres({ url: `${url}?direct=a/b`, schema })).rejects.toThrow("HOST:PORT");
  });
});
