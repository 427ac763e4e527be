import { expect, test } from "vitest";

import { receive } from "./receive.ts";
import { source } from "./source.ts";

const code = (hook: string): string => `
  export default { name: "Listener", version: "0.0.1", dedupe: "unique",
    props: { slack: { type: "app", app: "slack" }, channel: { type: "string", optional: true },
      hook: { type: "$.interface.apphook", appProp: "slack", ${hook} } },
    run(event) { this.$emit({ ...event, names: this.hook.eventNames }, { id: event.ts, summary: event.text }); } };`;
const byChannel = code(`eventNames() { return this.channel ? [this.channel] : []; }`);

test("A20 an event of an app runs the source, without an endpoint or an account", async () => {
  await using feed = source({ code: byChannel }, { props: { channel: "C1" } });
  await feed.deploy();
  expect(feed.eventNames).toEqual(["C1"]);
  const run = await feed.appEvent("C1", { ts: "1", text: "hi" });
  expect([run.status, run.emits.map(({ event, summary }) => [event, summary])]).toEqual([
    "ok",
    [[{ ts: "1", text: "hi", names: ["C1"] }, "hi"]],
  ]);
  await feed.appEvent(["message", "C1"], { ts: "1" });
  expect(feed.deduped).toHaveLength(1);
  await expect(feed.appEvent("C2", {})).rejects.toThrow("does not listen to C2; its eventNames are C1.");
  await feed.update({ props: { channel: "C2" } });
  await feed.appEvent("C2", { ts: "2" });
  expect(feed.emits).toHaveLength(2);
});

test("A20 an event of another account, or one that was sent before, is an error", async () => {
  await using feed = source({ code: code("static: []") }, { accounts: { slack: { team_id: "T1" } } });
  await feed.deploy();
  expect(feed.eventNames).toEqual([]);
  await feed.appEvent("message", { ts: "1" }, { account: { team_id: "T1" }, id: "e1" });
  await expect(feed.appEvent("message", {}, { account: { team_id: "T2" } })).rejects.toThrow("for another account");
  await expect(feed.appEvent("message", {}, { id: "e1" })).rejects.toThrow("before");
});

test("A20 a component without an apphook prop gets no event", async () => {
  await using feed = source({ code: `export default { name: "N", version: "1", run() {} };` });
  await feed.deploy();
  await expect(feed.appEvent("a", {})).rejects.toThrow("needs a prop of type $.interface.apphook");
});

test("A20 a reader is called with a request", async () => {
  const reader = {
    prefix: "acme",
    receive(
      this: { prefix: string; secrets: string[] },
      { body, verified }: { body: { kind?: string }; verified: boolean },
    ) {
      if (this.secrets[0] === "wrong") return { respond: { status: 401 } };
      return body.kind ? { events: [{ name: `${this.prefix}.${body.kind}`, data: { verified } }] } : undefined;
    },
  };
  expect(await receive(reader, { body: { kind: "made" } })).toEqual({
    events: [{ names: ["acme.made"], accounts: [], data: { verified: true } }],
    respond: null,
  });
  expect(await receive(reader)).toEqual({ events: [], respond: null });
  expect((await receive(reader, { secrets: ["wrong"] })).respond?.status).toBe(401);
  await expect(receive({ receive: () => ({ events: [{}] }) })).rejects.toMatchObject({ code: "invalid_parameter" });
});
