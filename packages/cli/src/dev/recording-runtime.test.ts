import { createRuntime, type EndpointRequest } from "@x/runtime";
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
    kind: "event",
    sourceId: source.id,
    execution: { status: "ok", emitted: [{ summary: "s" }] },
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
