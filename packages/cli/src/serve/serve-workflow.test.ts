import { join } from "node:path";

import { expect, test } from "vitest";

import { runHere, type RunningHere, startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const orders = `import { defineWorkflow } from "@x/types";
import { total } from "./total.ts";

export default defineWorkflow({
  name: "Orders",
  trigger: { type: "http", customResponse: true },
  steps: [
    { type: "action", name: "sum", run: ({ steps }) => total(steps.trigger.event.body.items) },
    { type: "action", name: "tell", run({ steps, $ }) {
      $.send.emit({ total: steps.sum.$return_value });
      $.respond({ status: 202, body: String(steps.sum.$return_value) });
    } },
  ],
});
`;
const total =
  "export const total = (items: { price: number }[]): number => items.reduce((sum, { price }) => sum + price, 0);\n";
const bare = 'export default { id: "p_bare", name: "Bare", steps: [{ name: "one", run() {} }] };\n';

const start = (cwd: string, ...args: readonly string[]): RunningHere =>
  startHere(["serve", "--port", "0", "--data", "data", "--api-key", "workflow-test-key", ...args], { cwd });

test("workflows are served under the id and endpoint they had before, with their events", async () => {
  await using folder = await makeFolder({ "orders.ts": orders, "total.ts": total, "bare.js": bare });
  const seen: string[] = [];
  for (const run of [1, 2]) {
    await using x = start(folder.path, "--workflow", "orders.ts", "--workflow", join(folder.path, "bare.js"));
    const [, url = ""] = await x.printed(/^Serving on (\S+)$/m);
    const [, id = "", path = ""] = await x.printed(/^Workflow Orders \((p_\w+)\) {2}http:\/\/[^/]+(\/in\/\w+)$/m);
    await x.printed(/^Workflow Bare \(p_bare\)$/m);
    const answer = await fetch(new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ items: [{ price: run }, { price: 40 }] }),
    });
    expect([answer.status, await answer.text()]).toEqual([202, String(run + 40)]);
    seen.push(`${id} ${path}`);
    x.hear("SIGTERM");
    expect(await x.exit).toBe(0);
  }
  expect(new Set(seen).size).toBe(1);
  await using x = start(folder.path);
  const [, url = ""] = await x.printed(/^Serving on (\S+)$/m);
  const headers = { authorization: "Bearer workflow-test-key" };
  const read = async (path: string): Promise<unknown[]> =>
    ((await (await fetch(url + path, { headers })).json()) as { data: unknown[] }).data;
  expect(await read("/users/me/workflows")).toMatchObject([
    { id: "p_bare", active: false },
    { name: "Orders", active: false },
  ]);
  const [id = ""] = (seen[0] ?? "").split(" ");
  expect(await read(`/workflows/${id}/event_summaries`)).toMatchObject([
    { event: { raw_event: { total: 42 } } },
    { event: { raw_event: { total: 41 } } },
  ]);
  x.hear("SIGTERM");
  expect(await x.exit).toBe(0);
});

test("a file that cannot be built is reported with its line, exit 1", async () => {
  await using folder = await makeFolder({ "broken.js": "export default {\n  name: 'Broken',\n  steps: [}\n};\n" });
  const { code, err } = await runHere(["serve", "--port", "0", "--workflow", "broken.js"], { cwd: folder.path });
  expect(code).toBe(1);
  expect(err).toMatch(/^error\[bundle_failed\]: /);
  expect(err).toMatch(/broken\.js:3:\d+/);
  expect(err).toContain("steps: [}");
});

test("an invalid workflow is reported with the path of every problem, exit 1", async () => {
  await using folder = await makeFolder({
    "odd.js": 'export default { name: "Odd", trigger: { type: "timr" }, steps: [{ name: "a b", run: 1 }] };\n',
  });
  const { code, err } = await runHere(["serve", "--port", "0", "--workflow", "odd.js"], { cwd: folder.path });
  expect(code).toBe(1);
  expect(err).toMatch(/^error\[invalid_workflow\]: Workflow Odd cannot be registered/);
  for (const place of ["/trigger", "/steps/0/name", "/steps/0/run"]) expect(err).toContain(`  ${place}  `);
});

test("no file, and two files of one workflow, are usage errors", async () => {
  await using folder = await makeFolder({ "one.js": bare, "two.js": bare });
  const none = await runHere(["serve", "--port", "0", "--workflow", "missing.js"], { cwd: folder.path });
  expect([none.code, none.err.split("\n")[0]]).toEqual([2, "error: There is no file missing.js"]);
  const twice = await runHere(["serve", "--port", "0", "--workflow", "one.js", "--workflow", "two.js"], {
    cwd: folder.path,
  });
  expect([twice.code, twice.err.split("\n")[0]]).toEqual([2, "error: one.js and two.js are both the workflow p_bare"]);
});
