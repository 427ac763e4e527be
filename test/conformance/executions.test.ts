import { afterAll, beforeAll, expect, test } from "vitest";

import { openStream } from "./event-stream.ts";
import { component, type Data, endpointPath, type List, sendRaw, type Service, startService } from "./fixture.ts";
import { addUser } from "./user-client.ts";

interface SummaryBody {
  readonly execution_id: string;
  readonly source_id: string;
  readonly entry: string;
  readonly trigger: string;
  readonly status: string;
  readonly replay_of: string | null;
  readonly ended_at: number;
  readonly http?: object;
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const code = component({
  name: "Runner",
  props: 'db: "$.service.db", http: { type: "$.interface.http", customResponse: true }, timer: "$.interface.timer"',
  run: `if (event.fail) throw new Error(event.fail); this.db.set("n", event.n ?? 0); this.$emit({ n: event.n ?? 0 });
    if (event.method) this.http.respond({ status: 201, body: "made" });`,
});

const list = async (path: string): Promise<List<SummaryBody>> =>
  (await service.call<List<SummaryBody>>("GET", path)).body;
const idsOf = ({ data }: List<SummaryBody>): string[] => data.map(({ execution_id: id }) => id);
const read = async (id: string): Promise<Record<string, unknown>> =>
  (await service.call<Data<Record<string, unknown>>>("GET", `/executions/${id}`)).body.data;

/** A source with this many runs, oldest first. */
async function runner(count: number): Promise<{ readonly id: string; readonly runs: string[] }> {
  const { id } = await service.deploy(code, { timer: { intervalSeconds: 3_600 } });
  const runs: string[] = [];
  for (let n = 0; n < count; n++) runs.push((await service.run(id, { n })).execution_id);
  return { id, runs };
}

test("executions of a source are listed newest first, in pages whose cursors are their ids", async () => {
  const { id, runs } = await runner(5);
  const newestFirst = runs.toReversed();
  const first = await list(`/sources/${id}/executions?limit=2`);
  expect(first.page_info).toEqual({
    total_count: 5,
    count: 2,
    start_cursor: newestFirst[0],
    end_cursor: newestFirst[1],
  });
  const second = await list(`/sources/${id}/executions?limit=2&after=${first.page_info.end_cursor}`);
  expect(idsOf(second)).toEqual(newestFirst.slice(2, 4));
  const back = await list(`/sources/${id}/executions?limit=2&before=${newestFirst[3]}`);
  expect(idsOf(back)).toEqual(newestFirst.slice(1, 3));
  expect(idsOf(await list(`/executions?limit=5`))).toEqual(newestFirst);
});

test("they are filtered by status and by the time of their end", async () => {
  const { id, runs } = await runner(1);
  const failed = await service.run(id, { fail: "no" });
  await service.advance(1_000);
  const later = await service.run(id, { n: 1 });
  expect(idsOf(await list(`/sources/${id}/executions?status=failed`))).toEqual([failed.execution_id]);
  expect(idsOf(await list(`/sources/${id}/executions?status=error`))).toEqual([failed.execution_id]);
  expect(idsOf(await list(`/sources/${id}/executions?status=ok`))).toEqual([later.execution_id, ...runs]);
  const since = (await read(later.execution_id))["ended_at"] as number;
  expect(idsOf(await list(`/sources/${id}/executions?since=${since}`))).toEqual([later.execution_id]);
});

test("they are found by a text in their record, by trigger, duration and what became of their events", async () => {
  const { id } = await runner(0);
  const { execution_id: ok } = await service.run(id, { n: 71_203 });
  const { execution_id: failed } = await service.run(id, { fail: "Order B-71203 is unknown" });
  const found = async (query: string): Promise<string[]> => idsOf(await list(`/sources/${id}/executions?${query}`));
  expect(await found("q=71203")).toEqual([failed, ok]);
  expect(await found("q=order%20b-71203")).toEqual([failed]);
  expect(await found(`q=${ok}`)).toEqual([ok]);
  expect(await found("q=71203&status=ok")).toEqual([ok]);
  expect(await found("q=nowhere-to-be-found")).toEqual([]);
  expect(await found("trigger=manual")).toEqual([failed, ok]);
  expect(await found("trigger=http")).toEqual([]);
  expect(await found("trigger=app")).toEqual([]);
  expect(await found("min_ms=0&events=none")).toContain(failed);
  expect(await found("min_ms=900000000")).toEqual([]);
  const first = await list(`/sources/${id}/executions?q=71203&limit=1`);
  expect([first.page_info.total_count, idsOf(first)]).toEqual([2, [failed]]);
  expect(await found(`q=71203&after=${failed}`)).toEqual([ok]);
  expect(await found(`q=71203&before=${ok}`)).toEqual([failed]);
  expect(idsOf(await list("/executions?q=71203"))).toEqual([failed, ok]);
});

test("the request of a client is shown in a line, with the status that was sent", async () => {
  const props = 'http: { type: "$.interface.http", customResponse: true }';
  const code = component({
    props,
    run: 'if (event.body.silent) return; this.http.respond({ status: event.body.status, body: "" }); if (event.body.fail) throw new Error("late")',
  });
  const source = await service.deploy(code);
  const send = async (path: string, body: object): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const answer = await service.hit(source, path, { method: "PUT", headers, body: JSON.stringify(body) });
    await service.runtime.idle();
    return answer.status;
  };
  const statuses = [
    await send("/orders?n=1", { status: 201 }),
    await send("", { status: 422, fail: true }),
    await send("/x", { silent: true }),
  ];
  expect(statuses).toEqual([201, 422, 500]);
  const told = (await list(`/sources/${source.id}/executions?trigger=http`)).data.map(({ http }) => http);
  expect(told).toEqual([
    { method: "PUT", path: "/x", status: 500 },
    { method: "PUT", path: "/", status: 422 },
    { method: "PUT", path: "/orders?n=1", status: 201 },
  ]);
  await service.run(source.id, { body: { status: 200 } });
  expect((await list(`/sources/${source.id}/executions?limit=1`)).data[0]).not.toHaveProperty("http");
});

test("parameters that are not valid are refused", async () => {
  const { id } = await runner(0);
  for (const query of [
    "status=bad",
    "trigger=x",
    "min_ms=x",
    "events=x",
    "since=yesterday",
    "after=x",
    "before=dc_1",
  ]) {
    const { status, body } = await service.call("GET", `/sources/${id}/executions?${query}`);
    expect([status, body.code, body.details.parameter], query).toEqual([400, "invalid_parameter", query.split("=")[0]]);
  }
  expect((await service.call("GET", `/workflows/${id}/executions`)).status).toBe(404);
});

test("an execution names its trigger: a tick, a request, a run by hand, a hook", async () => {
  const source = await service.deploy(
    component({
      name: "Hooked",
      props: 'http: "$.interface.http", timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }',
      more: "hooks: { activate() {} },",
    }),
  );
  await service.advance(60_000);
  await service.hit(source, "/x", { method: "POST", body: "{}" });
  await service.run(source.id);
  const { data } = await list(`/sources/${source.id}/executions`);
  expect(data.map(({ entry, trigger }) => [entry, trigger])).toEqual([
    ["run", "manual"],
    ["run", "http"],
    ["run", "timer"],
    ["activate", "hook"],
  ]);
});

test("an execution shows its event, effects and response", async () => {
  const source = await service.deploy(code, { timer: { intervalSeconds: 3_600 } });
  await service.hit(source, "/path", { method: "POST", body: "hello" });
  await service.runtime.idle();
  const [id = ""] = idsOf(await list(`/sources/${source.id}/executions`));
  const [emitted] = await service.events(source.id);
  expect(await read(id)).toMatchObject({
    source_id: source.id,
    trigger: "http",
    status: "ok",
    phases: { queued_ms: 0, sandbox_ms: expect.any(Number) as number, commit_ms: expect.any(Number) as number },
    event: { method: "POST", path: "/path", body: "hello" },
    emitted: [{ id: emitted?.id, payload: { n: 0 }, payload_bytes: 7, listeners: [] }],
    dropped: [],
    db: [{ key: "n", after: 0 }],
    response: { status: 201, body: "made", body_bytes: 4 },
    error: null,
  });
});

test("the execution of a request shows it as it was received: target, headers in order and case, bytes", async () => {
  const source = await service.deploy(component({ name: "Raw", props: 'http: "$.interface.http"' }));
  const target = `${endpointPath(source)}/a%20b/%E4?q=%C3%A4+1&q=&&Q`;
  const head = ["Host: sources.test", "X-Twice: 1", "x-ONCE: a  b", "X-Twice: 2", "Cookie: c=1", "Connection: close"];
  const send = async (body: Uint8Array): Promise<Record<string, unknown>> => {
    const lines = [`PUT ${target} HTTP/1.1`, ...head, `Content-Length: ${body.length}`, "", ""];
    const { status } = await sendRaw(service.url, Buffer.concat([Buffer.from(lines.join("\r\n")), body]));
    expect(status).toBe(200);
    await service.runtime.idle();
    const [id = ""] = idsOf(await list(`/sources/${source.id}/executions?limit=1`));
    return read(id);
  };
  const headers = [...head, "Content-Length: 5"].map((line) => line.split(": "));
  const received = { method: "PUT", target, http_version: "1.1", headers };
  expect((await send(Buffer.from("{ä} ")))["request"]).toEqual({ ...received, body: "{ä} " });
  const bytes = Buffer.from([0xff, 0, 1, 2, 0xfe]);
  expect((await send(bytes))["request"]).toEqual({ ...received, body_base64: bytes.toString("base64") });
  const { execution_id: byHand } = await service.run(source.id);
  expect(await read(byHand)).not.toHaveProperty("request");
});

test("a replay runs the same event again or another one, and names its origin", async () => {
  const { id, runs } = await runner(1);
  const path = `/executions/${runs[0]}/replay`;
  const again = await service.call<Data<SummaryBody>>("POST", path, {});
  const edited = await service.call<Data<SummaryBody>>("POST", path, { event: { n: 7 } });
  const queued = await service.call<Data<SummaryBody>>("POST", path, { wait: false });
  expect([again, edited, queued].map(({ status, body }) => [status, body.data.status])).toEqual([
    [200, "ok"],
    [200, "ok"],
    [200, "queued"],
  ]);
  expect(await service.emitted(id)).toEqual([{ n: 0 }, { n: 0 }, { n: 7 }, { n: 0 }]);
  const { data } = await list(`/sources/${id}/executions?limit=3`);
  expect(data.map(({ replay_of: origin, trigger }) => [origin, trigger])).toEqual(
    [1, 2, 3].map(() => [runs[0], "manual"]),
  );
});

test("a replay of a hook, and of a paused source, is refused", async () => {
  const hooked = await service.deploy(component({ name: "Hooked", more: "hooks: { activate() {} }," }));
  const [hook = ""] = idsOf(await list(`/sources/${hooked.id}/executions`));
  const refused = await service.call("POST", `/executions/${hook}/replay`, {});
  expect([refused.status, refused.body.code]).toEqual([409, "not_replayable"]);
  const { id, runs } = await runner(1);
  await service.call("PATCH", `/sources/${id}`, { active: false });
  const inactive = await service.call("POST", `/executions/${runs[0]}/replay`, {});
  expect([inactive.status, inactive.body.code]).toEqual([409, "inactive"]);
});

test("a workflow has executions with its steps, and can be replayed", async () => {
  const steps = `[{ name: "one", run: () => 1 }, { name: "two", run({ steps }) { return steps.one.$return_value + 1; } }]`;
  const { id } = await service.runtime.workflow({ code: `export default { name: "Two", steps: ${steps} }` });
  const { executionId } = await service.runtime.invoke(id, { event: { a: 1 } });
  expect(idsOf(await list(`/workflows/${id}/executions`))).toEqual([executionId]);
  expect(await read(executionId)).toMatchObject({
    source_id: id,
    steps: [{ name: "one" }, { name: "two" }],
    exports: { two: { $return_value: 2 } },
  });
  const { body } = await service.call<Data<SummaryBody>>("POST", `/executions/${executionId}/replay`, {});
  expect(body.data.status).toBe("ok");
});

test("the stream has the executions of all sources, or of one, as they end", async () => {
  const [one, two] = [await runner(0), await runner(0)];
  await using all = await openStream(service.url, "/executions/stream");
  await using ofTwo = await openStream(service.url, `/executions/stream?source_id=${two.id}`);
  const first = await service.run(one.id, { n: 1 });
  const second = await service.run(two.id, { fail: "no" });
  const messages = await all.take(2);
  expect(messages.map(({ id }) => id)).toEqual([first.execution_id, second.execution_id]);
  const { data } = await list("/executions?limit=2");
  expect(messages.map(({ data: text }) => JSON.parse(text) as unknown)).toEqual(data.toReversed());
  expect((await ofTwo.take(1))[0]?.id).toBe(second.execution_id);
});

test("a stream that comes back gets what was committed meanwhile, each once", async () => {
  const { id, runs } = await runner(4);
  await using stream = await openStream(service.url, `/executions/stream?source_id=${id}`, runs[1]);
  const live = await service.run(id, { n: 9 });
  expect((await stream.take(3)).map((message) => message.id)).toEqual([runs[2], runs[3], live.execution_id]);
  await using unknown = await openStream(service.url, `/executions/stream?source_id=${id}&after=${"0".repeat(27)}`);
  const [gap, oldest] = await unknown.take(2);
  expect([gap?.event, gap?.id, JSON.parse(gap?.data ?? "")]).toEqual(["gap", undefined, { after: "0".repeat(27) }]);
  expect(oldest?.id).toBe(runs[0]);
});

test("another user's executions are in no list and no stream", async () => {
  const bob = await addUser(service, { username: "bob" });
  const { runs } = await runner(1);
  for (const attempt of [
    bob.call("GET", `/executions/${runs[0]}`),
    bob.call("POST", `/executions/${runs[0]}/replay`, {}),
  ])
    expect((await attempt).status).toBe(404);
  expect((await bob.call<List<SummaryBody>>("GET", "/executions")).body.data).toEqual([]);
});

test("secrets of the source appear nowhere in an execution", async () => {
  const source = await service.deploy(
    component({
      name: "Secretive",
      props: 'token: { type: "string", secret: true }',
      run: `console.log(this.token); this.$emit({ token: this.token }, { summary: this.token }); throw new Error(this.token);`,
    }),
    { token: "open-sesame-42" },
  );
  const { execution_id: id } = await service.run(source.id, { given: "open-sesame-42" });
  const text = JSON.stringify([await read(id), await list(`/sources/${source.id}/executions`)]);
  expect(text).toContain("***");
  expect(text).not.toContain("open-sesame");
});

test("S61 an execution shows the props and component that it ran with, also after a change of the source", async () => {
  const changing = component({
    name: "Changing",
    props: 'board: { type: "string" }, token: { type: "string", secret: true }',
    run: "this.$emit({ board: this.board });",
  });
  const { id } = await service.deploy(changing, { board: "b1", token: "sesame-1234" });
  const { execution_id: run } = await service.run(id, {});
  const before = await read(run);
  expect(before["ran_with"]).toEqual({
    component_id: expect.any(String) as string,
    component_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    configured_props: { board: "b1", token: { $secret: "token" } },
  });
  const changed = await service.call("PUT", `/sources/${id}`, {
    component_code: changing.replace("board: this.board", "changed: this.board"),
    configured_props: { board: "b2", token: "open-1234567" },
  });
  expect(changed.status).toBe(200);
  expect((await read(run))["ran_with"]).toEqual(before["ran_with"]);
  const { execution_id: later } = await service.run(id, {});
  const after = (await read(later))["ran_with"] as { readonly component_id: string };
  expect(after).toMatchObject({ configured_props: { board: "b2", token: { $secret: "token" } } });
  expect(after.component_id).not.toBe((before["ran_with"] as typeof after).component_id);
});
