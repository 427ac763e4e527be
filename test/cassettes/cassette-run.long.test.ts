import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = `const conditions = ["@x/source"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.ts"] } };
`;
const key = "key-of-a-real-account";
const bytes = Buffer.from([0xff, 0x00, 0x89, 0x50]);

const component = `export default {
  name: "Orders", version: "0.1.0", dedupe: "unique",
  props: { acme: { type: "app", app: "acme" }, origin: { type: "string" } },
  async run() {
    const headers = { authorization: "Bearer " + this.acme.$auth.key };
    const moved = await fetch(this.origin + "/moved?key=" + this.acme.$auth.key, { headers });
    const states: number[] = [];
    for (let n = 0; n < 2; n++)
      states.push((await fetch(this.origin + "/orders", { method: "POST", headers, body: JSON.stringify({ page: 1 }) })).status);
    const image = new Uint8Array(await (await fetch(this.origin + "/image", { headers })).arrayBuffer());
    const gone = await fetch(this.origin + "/gone", { headers });
    this.$emit({ moved: await moved.json(), states, image: [...image], gone: [gone.status, await gone.text()] }, { id: "o1" });
  },
};
`;
const testOf = (origin: string): string => `import { cassette, source } from "@x/testing/vitest";
import { expect, test } from "vitest";
import orders from "./orders.ts";

test("orders", async () => {
  const tested = source(orders, {
    props: { origin: ${JSON.stringify(origin)} },
    accounts: { acme: { key: process.env.ACME_KEY ?? "stand-in" } },
    routes: cassette("orders"),
  });
  await tested.deploy();
  await tested.run();
  expect(tested).toHaveEmitted([
    { moved: { to: "here" }, states: [429, 200], image: ${JSON.stringify([...bytes])}, gone: [410, "göné"] },
  ]);
});
`;

let asked: string[] = [];
let folder = "";
/** A real service: it redirects, is busy once, compresses, and answers with bytes and in another charset. */
const server = createServer((request, response) => {
  const path = new URL(request.url ?? "", "http://upstream").pathname;
  const isKnown = request.headers.authorization === `Bearer ${key}`;
  asked.push(`${request.method} ${path}`);
  request.resume();
  const times = asked.filter((each) => each.endsWith(path)).length;
  if (!isKnown) response.writeHead(401).end();
  else if (path === "/moved") response.writeHead(302, { location: "/here" }).end();
  else if (path === "/here")
    response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "br", "set-cookie": "session=abc123" })
      .end(brotliCompressSync('{"to":"here"}'));
  else if (path === "/orders")
    response.writeHead(times === 1 ? 429 : 200, { "content-type": "application/json" }).end("{}");
  else if (path === "/image") response.writeHead(200, { "content-type": "image/png" }).end(bytes);
  else response.writeHead(410, { "content-type": "text/plain; charset=utf-8" }).end("göné");
});

beforeAll(async () => {
  await mkdir(join(root, "test/.tmp"), { recursive: true });
  folder = await mkdtemp(join(root, "test/.tmp/cassette-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(join(folder, "vitest.config.js"), config);
  await writeFile(join(folder, "orders.ts"), component);
  await writeFile(join(folder, "orders.test.ts"), testOf(origin));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Runs the author's test in a process of its own. */
function runTest(env: {
  readonly [name: string]: string;
}): Promise<{ readonly passed: boolean; readonly out: string }> {
  const { CI: _ci, X_CASSETTE: _mode, ...others } = process.env;
  const options = { cwd: folder, env: { ...others, ...env } };
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout=120000"],
      options,
      (error, stdout, stderr) => resolve({ passed: !error, out: stdout + stderr }),
    ),
  );
}

test("a cassette is recorded from a real service, and replayed by the same test without the service and the account", async () => {
  const missing = await runTest({ CI: "1" });
  expect(missing.out).toContain("There is no cassette");
  expect(asked).toEqual([]);

  const recorded = await runTest({ ACME_KEY: key });
  expect(recorded, recorded.out).toMatchObject({ passed: true });
  expect(asked).toEqual(["GET /moved", "GET /here", "POST /orders", "POST /orders", "GET /image", "GET /gone"]);
  const file = join(folder, "__cassettes__", "orders.json");
  const written = await readFile(file, "utf8");
  for (const secret of [key, "session=abc123"]) expect(written).not.toContain(secret);

  server.close();
  server.closeAllConnections();
  asked = [];
  for (const env of [{}, { CI: "1" }]) {
    const replayed = await runTest(env);
    expect(replayed, replayed.out).toMatchObject({ passed: true });
  }
  expect(asked).toEqual([]);

  // A recording of the unreachable service changes nothing.
  expect((await runTest({ X_CASSETTE: "record", ACME_KEY: key })).out).toContain("ECONNREFUSED");
  expect(await readFile(file, "utf8")).toBe(written);

  // The component asks for something else: the test says what was recorded.
  await writeFile(join(folder, "orders.ts"), component.replace("page: 1", "page: 2"));
  const changed = await runTest({});
  expect(changed).toMatchObject({ passed: false });
  expect(changed.out).toContain("The most similar recorded request is POST");
});
