import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import { openStream } from "./event-stream.ts";
import { component, type EventBody, type List, type Reply, type Service, startService } from "./fixture.ts";
import { createWorkflowTrial, echo, oneStep, type WorkflowTrial } from "./workflow-fixture.ts";

let service: Service;
let trial: WorkflowTrial;
beforeAll(async () => {
  service = await startService();
  trial = createWorkflowTrial(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const emitting = component({ name: "Emitting", run: "this.$emit(event)" });

test("a workflow is shown with the names of its steps", async () => {
  const { id, name } = await trial.echoing();
  const shown = await service.call<{ data: object }>("GET", `/workflows/${id}`);
  expect(shown.status).toBe(200);
  expect(shown.body.data).toMatchObject({ id, name, active: true, steps: ["only"] });
  const handled = await trial.register({ handler: () => undefined });
  expect((await service.call<{ data: object }>("GET", `/workflows/${handled.id}`)).body.data).toMatchObject({
    steps: [],
  });
  const { id: source } = await service.deploy(emitting);
  for (const other of [source, "p_none"]) expect((await service.call("GET", `/workflows/${other}`)).status).toBe(404);
});

test("R004 no path creates, changes, runs or deletes a workflow, and none shows it as a source", async () => {
  const { id } = await trial.echoing();
  for (const [method, path] of [
    ["POST", "/workflows"],
    ["PUT", `/workflows/${id}`],
    ["PATCH", `/workflows/${id}`],
    ["DELETE", `/workflows/${id}`],
    ["POST", `/workflows/${id}/run`],
  ] as const)
    expect([404, 405], `${method} ${path}`).toContain((await service.call(method, path, {})).status);
  for (const [method, path, body] of [
    ["GET", ""],
    ["PUT", "", { component_code: emitting }],
    ["PATCH", "", { active: false }],
    ["DELETE", ""],
    ["POST", "/run", {}],
    ["POST", "/event", {}],
    ["POST", "/dedupe/reset", {}],
    ["GET", "/db"],
    ["GET", "/db/k"],
    ["PUT", "/db/k", { value: 1 }],
    ["DELETE", "/db/k"],
    ["GET", "/event_summaries"],
    ["GET", "/$errors/event_summaries"],
    ["GET", "/logs"],
    ["GET", "/sse"],
    ["DELETE", "/events"],
  ] as const) {
    const reply = await service.call(method, `/sources/${id}${path}`, body);
    expect([reply.status, reply.body.code], `${method} ${path}`).toEqual([404, "not_found"]);
  }
  const list = await service.call<List<{ id: string }>>("GET", "/users/me/sources?limit=100");
  expect(list.body.data.filter((each) => !each.id.startsWith("dc_"))).toEqual([]);
  expect(list.body.page_info.total_count).toBe(list.body.data.length);
});

test("R003 a workflow's id begins with p_, is the given one, or follows from user and name", async () => {
  const derived = await service.runtime.workflow({ code: oneStep(echo, "Derived") });
  expect(derived.id).toMatch(/^p_[A-Za-z0-9]{14}$/);
  expect((await service.runtime.workflow({ code: oneStep(echo, "Derived") })).id).toBe(derived.id);
  expect((await trial.echoing({ id: "p_Given1" })).id).toBe("p_Given1");
  for (const id of ["p_abc", "dc_abcd", "p_", `p_${"a".repeat(41)}`, "p_with-hyphen", 7 as unknown as string])
    await expect(trial.echoing({ id })).rejects.toMatchObject({ code: "invalid_workflow" });
});

test("R098 emits, errors and logs of a workflow are read below /workflows, `%24` or not", async () => {
  const { id } = await trial.register({
    code: oneStep(`${echo}; console.log("seen"); throw new TypeError("bad")`, ""),
  });
  await trial.runAll(id, 1);
  expect(await trial.shown(id)).toEqual([{ raw_event: { got: 1 } }]);
  expect(await trial.events(id, "$errors/")).toHaveLength(1);
  expect(await trial.events(id, "%24errors/")).toEqual(await trial.events(id, "$errors/"));
  expect((await trial.shown(id, "$logs/")).map((log) => (log as { k: string }).k)).toEqual(["console.log", "err"]);
  const logs = await service.call<List<{ k: string; msg?: string }>>("GET", `/workflows/${id}/logs`);
  expect(logs.body.data.map(({ k }) => k)).toEqual(["err", "console.log"]);
});

test("R098 unknown workflows, sources, and workflows of other users are 404", async () => {
  const source = await service.deploy(emitting);
  for (const id of ["p_unknown", source.id]) {
    for (const path of ["/event_summaries", "/$errors/event_summaries", "/$logs/event_summaries", "/logs", "/sse"]) {
      const reply = await service.call("GET", `/workflows/${id}${path}`);
      expect([reply.status, reply.body.code], id + path).toEqual([404, "not_found"]);
    }
    expect((await service.call("DELETE", `/workflows/${id}/events`)).status).toBe(404);
  }
});

test("R018 a summary has id, time, event and metadata; its channel is empty by default", async () => {
  const run = 'await $.send.emit({ a: 1 }, { id: 7, summary: "one", ts: 5 }); $.send.emit("b", { name: "side" })';
  const { id } = await trial.register({ code: oneStep(run, "") });
  await trial.runAll(id);
  const [first, second] = await trial.events(id);
  expect(first).toEqual({
    id: expect.stringMatching(/^\d+-0$/) as string,
    indexed_at_ms: service.clock.now(),
    event: { raw_event: { a: 1 } },
    metadata: {
      emit_id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
      name: "",
      emitter_id: id,
      id: "7",
      summary: "one",
      ts: 5,
    },
  });
  expect([second?.event, second?.metadata["name"]]).toEqual([{ raw_event: "b" }, "side"]);
});

test("R019 every emit is {raw_event}, also for filters", async () => {
  const { id } = await trial.echoing();
  for (const event of [null, "text", { a: 1 }]) await trial.runAll(id, event);
  expect(await trial.shown(id)).toEqual([null, "text", { a: 1 }].map((got) => ({ raw_event: { got } })));
  const found = await service.call<List<EventBody>>("GET", `/workflows/${id}/event_summaries?q=/raw_event/got/a=1`);
  expect(found.body.data.map((row) => row.event)).toEqual([{ raw_event: { got: { a: 1 } } }]);
});

test("R019 server-sent events have the same shape", async () => {
  const { id } = await trial.echoing();
  await using stream = await openStream(service.url, `/workflows/${id}/sse`);
  await using errors = await openStream(service.url, `/workflows/${id}/sse?stream=$errors`);
  await trial.runAll(id, "live");
  expect(await stream.payloads(1)).toEqual([{ raw_event: { got: "live" } }]);
  await service.runtime.workflow({ id, name: "Broken", code: oneStep("null.x", "") });
  await trial.runAll(id);
  expect(await errors.payloads(1)).toMatchObject([{ error: { code: "TypeError" } }]);
});

test("R095 an event over 1 KB is cut without expand", async () => {
  const { id } = await trial.echoing();
  await trial.runAll(id, "x".repeat(2_000));
  const { body } = await service.call<List<EventBody>>("GET", `/workflows/${id}/event_summaries`);
  expect(body.data[0]).toMatchObject({ event_truncated: true, event_bytes: 2_010 });
  expect(await trial.shown(id)).toEqual([{ raw_event: { got: "x".repeat(2_000) } }]);
});

test("R020 errors are on the stream $errors; their event has three members", async () => {
  const { id } = await trial.register({ code: oneStep("null.x", "") });
  await trial.runAll(id);
  const [row] = await trial.events(id, "$errors/");
  expect([row?.metadata["name"], row?.metadata["emitter_id"]]).toEqual(["$errors", id]);
  expect(Object.keys(row?.event as object)).toEqual(["original_event", "original_context", "error"]);
});

test("R132 errors are in $errors, and only there", async () => {
  const { id } = await trial.register({ code: oneStep("if (steps.trigger.event.fail) throw new Error('no')", "") });
  for (const fail of [true, false, true]) await trial.runAll(id, { fail });
  expect(await trial.events(id, "$errors/")).toHaveLength(2);
  expect(await trial.events(id)).toEqual([]);
});

test("R021 an error has the original event and its context", async () => {
  const { id, deploymentId } = await trial.register({ code: oneStep('throw new RangeError("on purpose")', "") });
  const execution = await service.runtime.invoke(id, { event: { n: 1 } });
  const [row] = await trial.events(id, "$errors/");
  expect(row?.event).toEqual({
    original_event: { n: 1 },
    original_context: {
      id: execution.executionId,
      ts: new Date(service.clock.now()).toISOString(),
      workflow_id: id,
      deployment_id: deploymentId,
      source_type: "MANUAL",
      verified: false,
      owner_id: (await service.runtime.user()).user.id,
      platform_version: expect.any(String) as string,
    },
    error: {
      code: "RangeError",
      cellId: "c_only",
      msg: "on purpose",
      ts: new Date(service.clock.now()).toISOString(),
      stack: "RangeError: on purpose\n    at run (component.js:2:13)",
    },
  });
});

test("R022 an error names its step, also for a loop and for too much memory", async () => {
  const second = (body: string): string =>
    `export default { steps: [{ name: "first", run() {} }, { name: "second", run() { ${body} } }] };`;
  const cellOf = async (body: string, runTimeoutMs = 200): Promise<Json> => {
    const { id } = await trial.register({
      code: second(body),
      settings: { runTimeoutMs, memoryBytes: 32 * 1024 * 1024 },
    });
    await trial.runAll(id);
    const [event] = (await trial.shown(id, "$errors/")) as { error: { [field: string]: Json } }[];
    return [event?.error["cellId"] ?? null, event?.error["code"] ?? null];
  };
  expect(await cellOf("null.x")).toEqual(["c_second", "TypeError"]);
  expect(await cellOf("for (;;);")).toEqual(["c_second", "sandbox_timeout"]);
  // This one ends with its thread.
  expect(await cellOf('[].concat(Array(2e8)).join("")')).toEqual(["c_second", "sandbox_timeout"]);
  expect(await cellOf("const all = []; for (;;) all.push(new Uint8Array(1e6))", 60_000)).toEqual([
    "c_second",
    "sandbox_out_of_memory",
  ]);
});

test("R096 events of each stream are deleted by range, as for sources", async () => {
  const { id } = await trial.register({ code: oneStep(`${echo}; throw new Error("e")`, "") });
  for (const n of [1, 2, 3]) await trial.runAll(id, n);
  const [, second] = await trial.events(id);
  const from = (start: string): Promise<Reply<object>> =>
    service.call("DELETE", `/workflows/${id}/events?start_id=${start}`);
  expect((await from(second?.id ?? "")).status).toBe(202);
  expect(await trial.shown(id)).toEqual([{ raw_event: { got: 1 } }]);
  expect(await trial.events(id, "$errors/")).toHaveLength(3);
  expect((await from("x")).status).toBe(400);
  for (const stream of ["$errors", "$logs"] as const)
    expect((await service.call("DELETE", `/workflows/${id}/${stream}/events`)).status).toBe(202);
  expect([await trial.events(id, "$errors/"), await trial.events(id, "$logs/")]).toEqual([[], []]);
});

test("G62 a handler of the program runs instead of steps; its exception becomes an error record", async () => {
  const { id } = await trial.register({
    handler: (event, { $ }) => {
      $.send.emit({ handled: event });
      if (event === "bad") throw new RangeError("handler");
    },
  });
  await trial.runAll(id, "good");
  await trial.runAll(id, "bad");
  expect(await trial.shown(id)).toEqual([{ raw_event: { handled: "good" } }, { raw_event: { handled: "bad" } }]);
  expect(await trial.shown(id, "$errors/")).toMatchObject([
    { error: { code: "RangeError", cellId: "c_handler", msg: "handler", stack: "RangeError: handler" } },
  ]);
});

test("S12 an HTTP trigger has an endpoint; `$.respond` answers with customResponse", async () => {
  const run = "$.respond({ status: 201, headers: { 'x-a': 'b' }, body: { path: steps.trigger.event.path } })";
  const custom = await trial.register({ code: oneStep(run, "", "trigger: { type: 'http', customResponse: true },") });
  const path = new URL(custom.endpointUrl ?? "").pathname;
  const answer = await fetch(`${service.url + path}/x`, { method: "POST", body: "{}" });
  expect([answer.status, answer.headers.get("x-a"), await answer.json()]).toEqual([201, "b", { path: "/x" }]);
  const plain = await trial.echoing({ trigger: { type: "http" } });
  expect((await fetch(service.url + new URL(plain.endpointUrl ?? "").pathname)).status).toBe(200);
  expect(await trial.shown(plain.id)).toMatchObject([{ raw_event: { got: { method: "GET", path: "/" } } }]);
});

test("S23 customResponse and no `$.respond` is a 500 and an error record, also after an exit", async () => {
  const code = oneStep('$.flow.exit("no answer")', "", "trigger: { type: 'http', customResponse: true },");
  const { id, endpointUrl = "" } = await trial.register({ code });
  expect((await fetch(service.url + new URL(endpointUrl).pathname)).status).toBe(500);
  const records = await trial.shown(id, "$errors/");
  expect(records).toMatchObject([
    { error: { code: "no_response", msg: expect.stringContaining("$.respond()") as string } },
  ]);
});

test("R057 a timer trigger gives timer events; an unchanged schedule keeps its countdown over a new registration", async () => {
  const { id } = await trial.echoing({ trigger: { type: "timer", intervalSeconds: 60 } });
  await service.advance(40_000);
  await service.runtime.workflow({
    id,
    name: "Timed again",
    code: oneStep("$.send.emit(steps.trigger.event)", ""),
    trigger: { type: "timer", intervalSeconds: 60 },
  });
  await service.advance(20_000);
  expect(await trial.shown(id)).toEqual([
    { raw_event: { timestamp: Math.floor(service.clock.now() / 1000), interval_seconds: 60 } },
  ]);
  await service.runtime.workflow({ id, name: "No timer", code: oneStep(echo, "") });
  await service.advance(120_000);
  expect(await trial.events(id)).toHaveLength(1);
});

test("R085 workflows are listed page by page, with endpoint_url only when there is one", async () => {
  await using other = await startService();
  for (const n of [1, 2, 3])
    await other.runtime.workflow({ name: `W${n}`, id: `p_list${n}`, handler: () => undefined });
  await other.runtime.workflow({ name: "H", id: "p_listH", trigger: { type: "http" }, handler: () => undefined });
  await other.deploy(emitting);
  const first = await other.call<List<{ id: string }>>("GET", "/users/me/workflows?limit=2");
  expect(first.body.page_info).toMatchObject({ total_count: 4, count: 2 });
  expect(first.body.data[0]).toEqual({
    id: "p_listH",
    name: "H",
    name_slug: "h",
    active: true,
    endpoint_url: expect.stringMatching(/\/in\/[a-z0-9]{28}$/) as string,
    created_at: Math.floor(other.clock.now() / 1000),
    updated_at: Math.floor(other.clock.now() / 1000),
  });
  const after = first.body.page_info.end_cursor;
  const rest = await other.call<List<{ id: string }>>("GET", `/users/me/workflows?limit=2&after=${after}`);
  expect(rest.body.data.map(({ id }) => id)).toEqual(["p_list2", "p_list1"]);
  expect(Object.keys(rest.body.data[0] ?? {})).not.toContain("endpoint_url");
});
