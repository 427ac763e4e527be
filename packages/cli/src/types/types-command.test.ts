import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const declaring = `export default { name: "Orders", version: "1", key: "acme-orders",
  emits: { type: "object", properties: { id: { type: "string" } }, required: ["id"] }, run() { this.$emit({ id: "a" }); } };`;
const files = {
  "sources/orders.mjs": declaring,
  "sources/feed.mjs": `export default { name: "Feed", version: "1", sampleEmit: [1], run() {} };`,
  "counting.mjs": `export default { name: "Counting", version: "1", run() { this.$emit({ n: 1 }); } };`,
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
beforeAll(async () => {
  folder = await makeFolder(files);
  service = await startServiceHere(folder.path, { apiKey: "k" });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
const x = (...args: readonly string[]): ReturnType<typeof runHere> => runHere(args, { cwd: folder.path });
const at = (): string[] => ["--to", service.baseUrl, "--api-key", "k"];

test("x types prints what components in a folder say of their events", async () => {
  const { code, out, err } = await x("types", "sources");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("export type Feed = readonly number[];");
  expect(out).toContain(
    "/** Events of acme-orders, as its component declares them. */\nexport type AcmeOrders = {\n  readonly id: string;\n};",
  );
});

test("x types prints what the events of a source look like; without an operand of all sources", async () => {
  await x("deploy", "counting.mjs", ...at());
  await x("deploy", "sources/orders.mjs", ...at());
  await x("sources", "run", "counting", ...at());
  const one = await x("types", "counting", ...at());
  expect([one.code, one.err]).toEqual([0, ""]);
  expect(one.out).toContain(
    "/** Events of counting, as its only one is. */\nexport type Counting = {\n  readonly n: number;\n};",
  );
  const { out } = await x("types", ...at(), "--json");
  expect(JSON.parse(out)).toMatchObject([
    { name: "counting", from: "events", events: 1 },
    { name: "orders", from: "emits", schema: { required: ["id"] } },
  ]);
  const unknown = await x("types", "countin", ...at());
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('did you mean "counting"?')]);
});
