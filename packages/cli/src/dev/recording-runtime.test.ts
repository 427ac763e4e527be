import { createRuntime, type EndpointRequest, type ObservedExecution } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { type AnsweredRequest, createRecordingRuntime } from "./recording-runtime.ts";

const code = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" },
  run(event) { this.$emit([event.method ?? "", event.body ?? event.word], { summary: "s" }); } };`;

const request: EndpointRequest = {
  method: "POST",
  path: "/a",
  url: "http://127.0.0.1/a",
  search: "",
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode('{"n":1}'),
  clientIp: "127.0.0.1",
};

test("the last request or run-now event is replayed unchanged; before the first there is none", async () => {
  await using runtime = await createRuntime({ engine: await testEngine() });
  const answers: AnsweredRequest[] = [];
  const recording = createRecordingRuntime(runtime, (answered) => answers.push(answered));
  const { source } = await runtime.deploy({ code });
  expect(await recording.replay()).toBeUndefined();

  await recording.runtime.request(source.endpoints["http"] ?? "", request);
  expect(await recording.replay()).toMatchObject({ kind: "request", response: { status: 200 } });
  await recording.runtime.invoke(source.id, { event: { word: "now" }, wait: false });
  expect(await recording.replay()).toMatchObject({
    kind: "runs",
    runs: [{ sourceId: source.id, execution: { status: "ok", emitted: [{ summary: "s" }] } }],
  });
  await runtime.idle();
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
  expect(items.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    ["", "now"],
    ["", "now"],
    ["POST", { n: 1 }],
    ["POST", { n: 1 }],
  ]);
  expect(answers.map(({ request: { method }, response: { status } }) => [method, status])).toEqual([
    ["POST", 200],
    ["POST", 200],
  ]);
});

test("A18 the last event of an app is run again by the sources that got it, though a repeated event is a duplicate", async () => {
  const listener = (name: string): string => `const app = { type: "app", app: "acme" };
    export default { name: "${name}", version: "1", props: { app, hook: { type: "$.interface.apphook", appProp: "app", static: ["a"] } },
    run(event) { this.$emit(event); } };`;
  const seen: ((observed: ObservedExecution) => void)[] = [];
  await using runtime = await createRuntime({
    engine: await testEngine(),
    missingAccounts: "allow",
    observe: (observed) => seen.forEach((each) => each(observed)),
  });
  const recording = createRecordingRuntime(runtime, () => undefined);
  seen.push(recording.observe);
  const account = await runtime.createAccount({ app: "acme", auth: { token: "t" } });
  const props = { app: { authProvisionId: account.id } };
  const views = await Promise.all(["One", "Two"].map((name) => runtime.deploy({ code: listener(name), props })));
  await recording.runtime.appEvents("acme", [{ id: "e1", names: ["a"], data: { n: 1 } }]);
  await runtime.idle();
  for (let times = 0; times < 2; times++) {
    const replayed = await recording.replay();
    expect(replayed?.kind === "runs" && replayed.runs.map(({ sourceId }) => sourceId).toSorted()).toEqual(
      views.map(({ source }) => source.id).toSorted(),
    );
  }
  for (const { source } of views) {
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(items.map(({ payload }) => payload)).toEqual(['{"n":1}', '{"n":1}', '{"n":1}']);
  }
  await recording.runtime.appEvents("acme", [{ names: ["none"], data: {} }]);
  expect(await recording.replay()).toBeUndefined();
});
