import { afterAll, beforeAll, expect, test } from "vitest";

import { makeFolder, runX, spawnX } from "../spawned.cases.ts";

const config = {
  project: "shop",
  accounts: { work: { app: "acme", auth: { key: "${ACME_KEY}" } } },
  sources: {
    orders: { file: "./orders.mjs", props: { url: "u1" }, accounts: { acme: "work" } },
    "orders-eu": { file: "./orders.mjs", props: { url: "eu" }, accounts: { acme: "work" }, active: false },
  },
  webhooks: { archive: { url: "http://127.0.0.1:9/archive" } },
  subscriptions: [
    { from: "Flow", to: "archive" },
    { from: "orders", to: "Flow" },
  ],
  workflows: ["./flow.mjs"],
  server: { port: 0, data: "./data", retention: 7, inspector: false },
};
const { inspector: _, ...server } = config.server;
const files = {
  "acme.app.mjs": 'export default { type: "app", app: "acme" };',
  "orders.mjs": `import acme from "./acme.app.mjs";
export default { name: "Orders", version: "1", props: { acme, url: { type: "string" }, http: "$.interface.http" },
  run() { this.$emit({ url: this.url, key: this.acme.$auth.key, env: typeof process === "object" ? { ...process.env } : {} }); } };`,
  "flow.mjs": 'export default { name: "Flow", steps: [{ name: "only", run() { return 1; } }] };',
  "x.config.json": JSON.stringify({ ...config, server }),
  "wrong.json": JSON.stringify(config),
  "keys.json": JSON.stringify({ project: "shop", server: { apiKey: "k" } }),
  ".env": "ACME_KEY=from-env-file\nX_API_KEY=k\n",
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder(files);
});
afterAll(() => folder[Symbol.asyncDispose]());

test("x serve makes what the config says before it answers, and the same again after a restart", async () => {
  const env = { ACME_KEY: "k1", X_API_KEY: "k" };
  const options = { cwd: folder.path, env };
  for (const change of ["new", "unchanged"]) {
    await using x = spawnX(["serve", "--no-inspector"], options);
    const [, url = ""] = await x.printed(/Serving on (\S+)\/v1\n/);
    await x.printed(/Workflow Flow /);
    expect(x.out()).toMatch(new RegExp(`^Source orders \\(dc_\\w+, ${change}\\) {2}http`, "m"));
    expect(x.out()).toMatch(new RegExp(`^Source orders-eu \\(dc_\\w+, ${change}\\)`, "m"));
    const same = await runX(["diff", "--check", "--to", url], options);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining("Nothing to do: ")]);
    const ran = await runX(["sources", "run", "orders", "--url", url, "--json"], options);
    expect(ran.code).toBe(0);
    const shown = await runX(["events", "orders", "--limit", "1", "--url", url, "--json"], options);
    expect(JSON.parse(shown.out)).toMatchObject([{ event: { url: "u1", key: "k1" } }]);
    x.child.kill("SIGTERM");
    expect(await x.exit).toBe(0);
  }
});

test("x dev runs the files of the config with its values, reads .env, and components have no environment", async () => {
  await using x = spawnX(["dev", "--run", "--json", "--data", "dev-data"], { cwd: folder.path });
  const [line] = await x.printed(/^.*"message":"event".*$/m);
  expect(JSON.parse(line)).toMatchObject({ event: { url: "u1", key: "from-env-file" } });
  expect(line).not.toContain("ACME_KEY");
  expect(line).not.toContain("X_API_KEY");
  expect(x.out()).toContain('"api_key":"k"');
  expect(x.err()).toContain("source orders-eu is left out: another one has its file");
  x.child.kill("SIGTERM");
  expect(await x.exit).toBe(0);
});

test("an option that x serve has not, and a key in a file, are refused", async () => {
  const env = { ACME_KEY: "k1" };
  const wrong = await runX(["serve", "--config", "wrong.json"], { cwd: folder.path, env });
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("server.inspector is no option of x serve")]);
  const keys = await runX(["serve", "--config", "keys.json"], { cwd: folder.path, env });
  expect([keys.code, keys.err]).toEqual([
    2,
    expect.stringContaining("server.apiKey does not belong into a file; set X_API_KEY"),
  ]);
});
