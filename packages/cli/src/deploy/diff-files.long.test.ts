import { writeFile } from "node:fs/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const orders = (version: string): string => `export default {
  name: "Orders", version: "${version}",
  props: { currency: { type: "string" }, token: { type: "string", secret: true, optional: true } },
  run() {},
};`;
const files = {
  "orders.js": orders("1"),
  "many/one.js": 'export default { name: "One", version: "1", run() {} };',
  "many/two.js": 'export default { name: "Two", version: "1", run() {} };',
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let where: string;
const x = (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere([...args, "--to", service.baseUrl, "--api-key", "k"], { cwd: folder.path });
const sourceCount = async (): Promise<number> => (await service.runtime.sources({ limit: 100 })).totalCount;

beforeAll(async () => {
  folder = await makeFolder(files);
  service = await startServiceHere(folder.path, { apiKey: "k" });
  where = service.baseUrl.replace(/\/v1$/, "");
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("x diff FILE shows what x deploy FILE with the same flags does, and does nothing", async () => {
  const given = ["orders.js", "--props", "currency=EUR", "token=one"];
  const before = await x("diff", ...given);
  expect(before).toEqual({
    code: 0,
    err: "",
    out: `${where}:\n  + source orders\n1 to create, 0 to update, 0 unchanged.\n`,
  });
  expect(await sourceCount()).toBe(0);
  expect((await x("deploy", ...given)).out).toContain("Created orders");
  expect((await x("diff", ...given)).out).toBe(`Nothing to do: ${where} has orders as it is here.\n`);

  await writeFile(`${folder.path}/orders.js`, orders("2"));
  const changed = ["orders.js", "currency=CHF", "--props", "token=two", "--webhook-url", "http://127.0.0.1:9/orders"];
  const shown = await x("diff", ...changed);
  expect([shown.code, shown.out]).toEqual([
    0,
    [
      `${where}:`,
      '  ~ source orders: code, version "1" -> "2", props.currency "EUR" -> "CHF", props.token, webhook (none) -> "http://127.0.0.1:9/orders"',
      "0 to create, 1 to update, 0 unchanged.",
      "",
    ].join("\n"),
  ]);
  expect((await x("diff", ...changed, "--check")).code).toBe(1);
  const json = JSON.parse((await x("diff", ...changed, "--json")).out) as object;
  expect(json).toMatchObject({ file: "orders.js", change: "updated", name_slug: "orders" });
  expect((await x("deploy", ...changed)).out).toContain("Updated orders");
  expect((await x("diff", ...changed, "--check")).code).toBe(0);
});

test("x diff DIR shows each component, and what is refused with the name of its file", async () => {
  await x("deploy", "many/one.js");
  const shown = await x("diff", "many");
  expect(shown.out).toBe(`${where}:\n  + source two\n1 to create, 0 to update, 1 unchanged.\n`);
  await writeFile(`${folder.path}/wrong.js`, "export default { name: 1 };");
  const wrong = await x("diff", "wrong.js");
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("wrong.js: ")]);
  const missing = await x("diff", "orders.js", "--name", "another");
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("Set props with --props NAME=VALUE.")]);
});

test("S56 diff and deploy say that a new default is not taken, and NAME=null takes it", async () => {
  const ticking = (version: number, seconds: number): string =>
    `export default { name: "Ticking", version: "${version}", props: { timer: { type: "$.interface.timer", default: { intervalSeconds: ${seconds} } } }, run() {} };`;
  await writeFile(`${folder.path}/ticking.js`, ticking(1, 3_600));
  await x("deploy", "ticking.js");
  await writeFile(`${folder.path}/ticking.js`, ticking(2, 60));
  const warning =
    /warning:? +Prop "timer" keeps its stored value .*3600.*60.*--props timer=null\) \(stored-value-kept\)/;
  expect((await x("diff", "ticking.js")).out).toMatch(warning);
  expect((await x("diff", "ticking.js", "--props", "timer=null")).out).not.toContain("warning");
  const deployed = await x("deploy", "ticking.js");
  expect(deployed.out).toMatch(warning);
  expect(deployed.out).toMatch(/props\.timer +every 3600 s/);
  const taken = await x("deploy", "ticking.js", "--props", "timer=null");
  expect(taken.out).toMatch(/props\.timer +every 60 s/);
  expect(taken.out).not.toContain("warning");
});

test("flags of the one form are refused with the other", async () => {
  const config = await x("diff", "orders.js", "--config", "x.config.ts");
  expect([config.code, config.err]).toEqual([2, expect.stringContaining("Either FILE or --config")]);
  const props = await x("diff", "--props", "a=b");
  expect([props.code, props.err]).toEqual([2, expect.stringContaining("--props is for x diff FILE")]);
});
