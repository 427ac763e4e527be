import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { makeFolder, runX, spawnX } from "../spawned.cases.ts";

const report = (name: string, text: string): string => `export default { name: "${name}",
  trigger: { type: "event", emitterId: "orders" },
  steps: [{ name: "only", run({ steps, $ }) { $.send.emit(\`${text} \${steps.trigger.event.url}\`) } }] };`;
const files = {
  "acme.app.mjs": 'export default { type: "app", app: "acme" };',
  "orders.mjs": `import acme from "./acme.app.mjs";
export default { name: "Orders", version: "1", props: { acme, url: { type: "string" } },
  run() { this.$emit({ url: this.url, key: this.acme.$auth.key }); } };`,
  "report.mjs": report("Nightly report", "got"),
  "x.config.json": JSON.stringify({ project: "shop" }),
};
/** A config of six resources: an account, a webhook, a source, a workflow and two subscriptions. */
const whole = {
  project: "shop",
  accounts: { work: { app: "acme", auth: { key: "k1" } } },
  sources: { orders: { file: "./orders.mjs", props: { url: "u1" }, accounts: { acme: "work" } } },
  webhooks: { archive: { url: "http://127.0.0.1:9/archive" } },
  workflows: ["./report.mjs"],
  subscriptions: [
    { from: "orders", to: "archive" },
    { from: "nightly-report", to: "archive" },
  ],
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder(files);
});
afterAll(() => folder[Symbol.asyncDispose]());

const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);

/** A service in the folder with the config, or in another one without; and x, which asks it. */
async function serve(cwd: string): Promise<{
  service: ReturnType<typeof spawnX>;
  x: (...args: readonly string[]) => ReturnType<typeof runX>;
}> {
  const service = spawnX(["serve", "--port", "0", "--no-inspector"], { cwd, env: { X_API_KEY: "k" } });
  const [, url = ""] = await service.printed(/Serving on (\S+)\/v1\n/);
  const env = { X_API_KEY: "k", X_URL: url };
  return { service, x: (...args) => runX(args, { cwd: folder.path, env }) };
}

test("x apply has a service with the same config register the workflows; applied twice it changes nothing", async () => {
  const { service, x } = await serve(folder.path);
  await using _ = service;
  await write("x.config.json", JSON.stringify(whole));
  const first = await x("apply");
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out).toContain("5 to create, 0 to update, 0 to remove.");
  expect((await x("sources", "run", "orders")).code).toBe(0);
  const events = async (name: string): Promise<string> => (await x("events", name)).out;
  expect(await events("nightly-report")).toContain('{"raw_event":"got u1"}');
  expect(await events("Nightly report")).toBe(await events("nightly-report"));
  const record = (await x("diff", "--json")).out;
  const again = await x("apply");
  expect([again.code, again.out]).toEqual([0, expect.stringContaining("Nothing to do: ") as string]);
  expect((await x("diff", "--json", "--check")).out).toBe(record);

  // A changed workflow is taken up, and one more, though nothing else is to do.
  await write("report.mjs", report("Nightly report", "changed"));
  await write("more.mjs", report("More", "more"));
  await write("x.config.json", JSON.stringify({ ...whole, workflows: ["./report.mjs", "./more.mjs"] }));
  expect((await x("apply")).out).toContain("Nothing to do: ");
  expect((await x("sources", "run", "orders")).code).toBe(0);
  expect(await events("nightly-report")).toContain('"changed u1"');
  expect(await events("more")).toContain('"more u1"');

  // What is wrong with one is an error of x apply, and all others stay.
  await write("more.mjs", "export default { name: 'More', steps: [] };");
  const wrong = await x("apply");
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("steps must be a list of 1 to 100") as string]);
  expect((await x("sources", "run", "orders")).code).toBe(0);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});

test("a service without the config gets all but the workflows, and what needs one is an error that says so", async () => {
  await using other = await makeFolder();
  const { service, x } = await serve(other.path);
  await using _ = service;
  await write("x.config.json", JSON.stringify(whole));
  const applied = await x("apply");
  expect([applied.code, applied.err]).toEqual([
    2,
    expect.stringContaining(
      'create subscription "nightly-report -> archive": no source, webhook or workflow has the id or name "nightly-report"',
    ) as string,
  ]);
  expect(applied.out).toContain("note: workflows are registered by the service, when x serve has this config");
  expect(applied.err).toContain("start x serve with this config");
});

test("a trigger that waits for a source that nobody makes is a warning of x serve", async () => {
  await using other = await makeFolder({
    "flow.mjs": report("Flow", "got").replace("orders", "ordrs"),
    "x.config.json": JSON.stringify({ project: "other", workflows: ["./flow.mjs"] }),
  });
  const { service } = await serve(other.path);
  await using _ = service;
  await service.printed(/Workflow Flow /);
  expect(service.err()).toMatch(/the trigger of this workflow waits for a source of that name.*ordrs/);
});

test("x dev has the sources of a config under their names there, which triggers name", async () => {
  await using other = await makeFolder({
    "some.mjs": 'export default { name: "Something else", version: "1", run() { this.$emit({ url: "u" }); } };',
    "flow.mjs": report("Flow", "got").replace("orders", "bills"),
    "x.config.json": JSON.stringify({
      project: "other",
      sources: { bills: { file: "./some.mjs" } },
      workflows: ["./flow.mjs"],
    }),
  });
  for (const start of ["first", "second"]) {
    await using x = spawnX(["dev", "--run", "--json", "--port", "0"], { cwd: other.path });
    await x.printed(/^.*"message":"event".*"got u".*$/m);
    expect([start, x.out()]).toEqual([
      start,
      expect.stringMatching(/"file":"some\.mjs","source":"dc_\w+","name":"bills"/),
    ]);
    x.child.kill("SIGTERM");
    expect(await x.exit).toBe(0);
  }
});
