import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "../model/model.ts";
import { openTrial, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

/** Deploys an action with this body and runs it. */
async function run(body: string, event: Json = {}, members = "") {
  const code = `export default { type: "action", name: "Act", version: "1", ${members} async run({ steps, $ }) { ${body} } };`;
  const { source } = await trial.deploy(code, {});
  const { status, error, exports, response, logs } = await trial.runtime.invoke(source.id, { event });
  return { status, error, exports, response, logs: logs.map(({ msg }) => msg), emits: await trial.payloads(source.id) };
}

test("an action runs by itself as a step of a workflow would: steps.trigger, exports, what it returns, emits and answers", async () => {
  const body = `this.db.set("a", 1); $.export("$summary", this.word()); $.send.emit({ a: steps.trigger.event.a });
    $.send.sse({ channel: "live", payload: 2 }); await $.respond({ status: 201, body: { ok: true } });
    return [steps.trigger.context.id === $.context.id, this.db.get("a")];`;
  const done = await run(body, { a: 5 }, `props: { db: "$.service.db" }, methods: { word() { return "done"; } },`);
  expect(done).toMatchObject({
    status: "ok",
    exports: { $summary: "done", $return_value: [true, 1] },
    response: { status: 201, body: '{"ok":true}' },
    emits: [{ a: 5 }, 2],
  });
});

test("$.flow.exit ends it well, with what was exported before", async () => {
  expect(await run(`$.export("a", 1); $.flow.exit("enough"); return 2;`)).toMatchObject({
    status: "ok",
    exports: { a: 1 },
    logs: ["The action ended: enough"],
  });
});

test("what other services have beside these says so, in place of no function", async () => {
  expect((await run(`$.send.email({ subject: "a" });`)).error?.message).toBe(
    "$.send.email is not available in this runtime; call the service with fetch",
  );
  expect((await run(`$.flow.delay(1000);`)).error?.message).toContain("$.flow.delay is not available in this runtime");
});

test("hooks of an action are called as those of any component, and a source leaves nothing", async () => {
  const members = `props: { db: "$.service.db" }, hooks: { deploy(given) { this.db.set("given", typeof given); } },`;
  expect(await run(`return this.db.get("given");`, {}, members)).toMatchObject({
    exports: { $return_value: "object" },
  });
  const { source } = await trial.deploy(`export default { name: "S", version: "1", run() { return 5; } };`, {});
  expect(await trial.runtime.invoke(source.id)).not.toHaveProperty("exports");
});

test("what a workflow's steps left is told by their names; too much of it is left out, and no failure", async () => {
  const flow = (large: number) =>
    `export default { name: "F${large}", steps: [{ name: "one", run({ $ }) { $.export("k", "x".repeat(${large})); return 1; } }, { name: "two", run() {} }] };`;
  const { id } = await trial.runtime.workflow({ code: flow(2) });
  expect(await trial.runtime.invoke(id)).toMatchObject({ exports: { one: { k: "xx", $return_value: 1 }, two: {} } });
  const large = await trial.runtime.workflow({ code: flow(7 * 1024 * 1024) });
  const { status, exports } = await trial.runtime.invoke(large.id);
  expect([status, exports]).toEqual(["ok", undefined]);
});

test("$.send.http is a request of the run, which its end waits for; its failure is in the logs", async () => {
  const done = await run(
    `$.send.http({ method: "POST", url: "http://127.0.0.1:1/a", params: { q: 1 }, data: { a: 1 } });`,
  );
  expect(done).toMatchObject({ status: "ok", logs: [expect.stringMatching(/^\$\.send\.http failed: .*127\.0\.0\.1/)] });
});
