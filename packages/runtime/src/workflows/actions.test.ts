import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "../../../model/src/model.ts";
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

test("an action runs by itself like a step of a workflow: steps.trigger, exports, result, events, response", async () => {
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

test("$.flow.exit ends the run with status ok, and keeps earlier exports", async () => {
  expect(await run(`$.export("a", 1); $.flow.exit("enough"); return 2;`)).toMatchObject({
    status: "ok",
    exports: { a: 1 },
    logs: ["The action ended: enough"],
  });
});

test("members that only other services have throw an error that says so", async () => {
  expect((await run(`$.send.email({ subject: "a" });`)).error?.message).toBe(
    "$.send.email is not available in this runtime; call the service with fetch",
  );
  expect((await run(`$.flow.delay(1000);`)).error?.message).toContain("$.flow.delay is not available in this runtime");
});

test("hooks of an action get the same arguments as those of a source; runs of a source have no exports", async () => {
  const members = `props: { db: "$.service.db" }, hooks: { deploy(given) { this.db.set("given", typeof given); } },`;
  expect(await run(`return this.db.get("given");`, {}, members)).toMatchObject({
    exports: { $return_value: "object" },
  });
  const { source } = await trial.deploy(`export default { name: "S", version: "1", run() { return 5; } };`, {});
  expect(await trial.runtime.invoke(source.id)).not.toHaveProperty("exports");
});

test("the result of a workflow has the exports of its steps by name, and omits exports that are too large", async () => {
  const flow = (large: number) =>
    `export default { name: "F${large}", steps: [{ name: "one", run({ $ }) { $.export("k", "x".repeat(${large})); return 1; } }, { name: "two", run() {} }] };`;
  const { id } = await trial.runtime.workflow({ code: flow(2) });
  expect(await trial.runtime.invoke(id)).toMatchObject({ exports: { one: { k: "xx", $return_value: 1 }, two: {} } });
  const large = await trial.runtime.workflow({ code: flow(7 * 1024 * 1024) });
  const { status, exports } = await trial.runtime.invoke(large.id);
  expect([status, exports]).toEqual(["ok", undefined]);
});

test("the run waits for a request of $.send.http, and logs its failure", async () => {
  const done = await run(
    `$.send.http({ method: "POST", url: "http://127.0.0.1:1/a", params: { q: 1 }, data: { a: 1 } });`,
  );
  expect(done).toMatchObject({ status: "ok", logs: [expect.stringMatching(/^\$\.send\.http failed: .*127\.0\.0\.1/)] });
});
