import { fileURLToPath } from "node:url";

import { createRuntime, type Runtime, type WorkflowView } from "@x/runtime";
import { expect, test } from "vitest";

const file = fileURLToPath(new URL("ticket-triage.ts", import.meta.url));

async function post(runtime: Runtime, workflow: WorkflowView, body: unknown) {
  const key = workflow.endpointUrl?.split("/").at(-1) ?? "";
  const response = await runtime.request(key, {
    method: "POST",
    path: "/",
    url: workflow.endpointUrl ?? "",
    search: "",
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode(JSON.stringify(body)),
    clientIp: "127.0.0.1",
  });
  return [response.status, JSON.parse(new TextDecoder().decode(response.body))] as const;
}

test("tickets are numbered, answered and emitted, urgent ones on their own channel", async () => {
  await using runtime = await createRuntime();
  const workflow = await runtime.workflow({ file });
  expect(await post(runtime, workflow, { from: "a", text: "A question" })).toEqual([201, { number: 1, urgent: false }]);
  expect(await post(runtime, workflow, { from: "b", text: "It is DOWN!" })).toEqual([201, { number: 2, urgent: true }]);
  await runtime.idle();
  const { items } = await runtime.storedEvents(workflow.id, "emits", { limit: 10 });
  expect(items.toReversed().map(({ name, summary, payload }) => [name, summary, JSON.parse(payload)])).toEqual([
    ["", "#1 from a", { number: 1, from: "a", text: "A question", words: [] }],
    ["urgent", "#2 from b", { number: 2, from: "b", text: "It is DOWN!", words: ["down"] }],
  ]);
});

test("an invalid ticket is refused, gets no number and is no error", async () => {
  await using runtime = await createRuntime();
  const workflow = await runtime.workflow({ file });
  for (const body of [null, [], { from: "a" }, { from: "a", text: " " }])
    expect((await post(runtime, workflow, body))[0]).toBe(400);
  expect((await post(runtime, workflow, { from: "a", text: "x" }))[1]).toEqual({ number: 1, urgent: false });
  await runtime.idle();
  for (const [stream, count] of [
    ["emits", 1],
    ["$errors", 0],
  ] as const)
    expect((await runtime.storedEvents(workflow.id, stream, { limit: 10 })).totalCount).toBe(count);
});
