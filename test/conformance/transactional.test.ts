import { expect, test } from "vitest";

import { component, type Service, startService } from "./fixture.ts";

const failing = (more = ""): string =>
  component({
    props: 'db: "$.service.db"',
    more: `dedupe: "unique", ${more}`,
    run: `console.log("said"); this.db.set("n", 1); this.$emit("early", { id: "a" }); if (event.fail) throw new Error("x");`,
  });

/** What a run that throws leaves, and what the next run emits. */
async function leaves(service: Service, code: string): Promise<unknown> {
  const { id } = await service.deploy(code);
  await service.run(id, { fail: true });
  const emitted = await service.emitted(id);
  const { body } = await service.call<{ data: { key: string }[] }>("GET", `/sources/${id}/db`);
  const errors = await service.events(id, "$errors/");
  const logs = (await service.events(id, "$logs/")).map(({ event }) => (event as { k: string }).k);
  await service.run(id, {});
  return { emitted, db: body.data.map(({ key }) => key), errors: errors.length, logs, next: await service.emitted(id) };
}

const nothing = { emitted: [], db: [], errors: 1, logs: ["console.log", "err"], next: ["early"] };
const all = { ...nothing, emitted: ["early"], db: ["n"] };

test("G43 with transactional: true in the component an exception drops emits and db writes, but not the error and the logs", async () => {
  await using service = await startService();
  expect(await leaves(service, failing("transactional: true,"))).toEqual(nothing);
  expect(await leaves(service, failing("transactional: false,"))).toEqual(all);
  expect(await leaves(service, failing())).toEqual(all);
});

test("G43 the option of the runtime applies to every component that does not set transactional", async () => {
  await using service = await startService({ transactional: true });
  expect(await leaves(service, failing())).toEqual(nothing);
  expect(await leaves(service, failing("transactional: false,"))).toEqual(all);
});

test("G43 transactional is true or false", async () => {
  await using service = await startService();
  const reply = await service.call("POST", "/components", { component_code: failing('transactional: "yes",') });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_component"]);
  expect(reply.body.error).toContain('transactional must be true or false, got "yes"');
});
