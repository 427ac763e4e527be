import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { answerText, makeFolder, openTrial, removeFolders, type Trial } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import type { WorkflowHandler } from "../../../sandbox/src/handler-contract.ts";
import type { WorkflowView } from "../api/workflow-api.ts";
import { testEngine } from "../engine.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

let names = 0;
const register = (handler: WorkflowHandler, more: object = {}): Promise<WorkflowView> =>
  trial.runtime.workflow({ name: `H${++names}`, handler, ...more });

test("a handler gets the event and the arguments of steps, and its effects are one commit", async () => {
  const { id } = await register((event, { $ }) => {
    const n = Number($.db.get("n") ?? 0) + 1;
    $.db.set("n", n);
    $.send.emit({ event, n }, { id: n, summary: "told", ts: new Date(5), name: "side" });
    $.send.emit(undefined);
    $.log("seen %d", n, { a: [1] });
    return Promise.resolve("ignored");
  });
  await trial.runtime.invoke(id, { event: "a" });
  await trial.runtime.invoke(id, { event: "b" });
  const [first, , third] = await trial.stored(id);
  expect(first).toMatchObject({ name: "side", dedupeId: "1", summary: "told", ts: 5, payload: '{"event":"a","n":1}' });
  expect(third).toMatchObject({ payload: '{"event":"b","n":2}' });
  expect(await trial.payloads(id, "$logs")).toMatchObject([
    { k: "console.log", msg: "seen 1 { a: [ 1 ] }", data: ["seen %d", 1, { a: [1] }] },
    { msg: "seen 2 { a: [ 1 ] }" },
  ]);
});

test("a handler's times in seconds get one warning per run", async () => {
  const { id } = await register((_event, { $ }) => {
    for (const ts of [1_795_197_600, 1_795_197_601, 1_795_197_602_000]) $.send.emit(1, { ts });
    return Promise.resolve();
  });
  const { logs } = await trial.runtime.invoke(id, {});
  expect(logs).toMatchObject([
    { k: "console.warn", msg: expect.stringContaining("ts 1795197600 seems to be in seconds") },
  ]);
});

test("a handler uses the db of its workflow, which persists", async () => {
  const seen: unknown[] = [];
  const { id } = await register((event, { $ }) => {
    seen.push([$.db.get("a"), $.db.has("a"), $.db.keys(), $.db.delete("a")]);
    $.db.set("a", event);
    $.db.set("b", null);
    $.db.set("b", undefined);
  });
  for (const event of [{ n: 1 }, 2]) await trial.runtime.invoke(id, { event: event as Json });
  expect(seen).toEqual([
    [undefined, false, [], false],
    [{ n: 1 }, true, ["a"], true],
  ]);
});

test("a forbidden call in a handler throws at that call", async () => {
  const thrown: string[] = [];
  const { id } = await register((_event, { $ }) => {
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        thrown.push(error instanceof Error ? error.name : "");
      }
    };
    attempt(() => $.send.emit({ n: 1n }));
    attempt(() => $.send.emit(() => 1));
    attempt(() => $.send.emit("x".repeat(6 * 1024 * 1024)));
    attempt(() => $.db.set("k", "x".repeat(61 * 1024)));
    attempt(() => $.db.set("", 1));
    attempt(() => $.respond({ status: 99 }));
    attempt(() => $.respond({ status: 200, bdy: "" } as { status: number }));
  });
  const { status } = await trial.runtime.invoke(id);
  expect(thrown).toEqual([
    "EmitSerializationError",
    "EmitSerializationError",
    "EmitTooLargeError",
    "DbValueTooLargeError",
    "TypeError",
    "RangeError",
    "TypeError",
  ]);
  expect([status, await trial.payloads(id)]).toEqual(["ok", []]);
});

const hostile = (): never => {
  throw new Error("not to be read");
};

test("no logged value ends a handler", async () => {
  const circle: { [name: string]: unknown } = Object.create(null) as object as typeof circle;
  circle["self"] = circle;
  const { id } = await register((_event, { $ }) => {
    $.log(circle);
    $.log(new Proxy({}, { get: hostile, ownKeys: hostile }));
    $.log({ toJSON: hostile, toString: hostile });
  });
  expect((await trial.runtime.invoke(id)).status).toBe("ok");
  expect(await trial.payloads(id, "$logs")).toHaveLength(3);
});

test("whatever a handler throws becomes the error of the run", async () => {
  for (const [thrown, name, message] of [
    [new RangeError("range"), "RangeError", "range"],
    ["text", "Error", "text"],
    [undefined, "Error", "undefined"],
    [Object.create(null), "Error", "a value that cannot be shown"],
    [Object.assign(new Error("m"), { name: 5, stack: {} }), "Error", "m"],
    [Object.assign(new Error("m"), { message: { a: 1 } }), "Error", "Error: [object Object]"],
    [new Proxy(new Error("m"), { get: hostile, getPrototypeOf: hostile }), "Error", "a value that cannot be shown"],
  ] as const) {
    const { id } = await register(() => {
      throw thrown;
    });
    expect((await trial.runtime.invoke(id)).error).toMatchObject({ code: "component_threw", name, message });
  }
});

test("a handler has a deadline: its signal aborts, and later effects and rejections are ignored", async () => {
  const late = Promise.withResolvers<void>();
  const { id } = await register(
    async (_event, { $, signal }) => {
      $.send.emit("before");
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      $.send.emit("after");
      $.db.set("n", 1);
      $.log("after");
      late.resolve();
      throw new Error("late");
    },
    { settings: { runTimeoutMs: 20 } },
  );
  const { status, error } = await trial.runtime.invoke(id);
  await late.promise;
  await new Promise(setImmediate);
  expect([status, error?.code]).toEqual(["timeout", "sandbox_timeout"]);
  expect(await trial.payloads(id)).toEqual(["before"]);
  expect(await trial.payloads(id, "$errors")).toMatchObject([
    { error: { code: "sandbox_timeout", cellId: "c_handler" } },
  ]);
});

test("$.flow.exit ends the run at once", async () => {
  const { id } = await register((_event, { $ }) => {
    $.send.emit(1);
    $.flow.exit("enough");
    $.send.emit(2);
    throw new Error("too late");
  });
  expect((await trial.runtime.invoke(id)).status).toBe("ok");
  expect(await trial.payloads(id)).toEqual([1]);
  expect(await trial.payloads(id, "$logs")).toMatchObject([{ msg: "The workflow ended: enough" }]);
});

test("$.respond outside of a request is ignored with a warning", async () => {
  const { id } = await register((_event, { $ }) => $.respond({ status: 200 }));
  expect((await trial.runtime.invoke(id)).status).toBe("ok");
  expect(await trial.payloads(id, "$logs")).toMatchObject([
    { k: "console.warn", msg: expect.stringContaining("$.respond is ignored") as string },
  ]);
});

test("$.respond answers the request that triggered the run", async () => {
  const { id, endpointUrl = "" } = await register(
    (event, { $ }) => {
      const { body } = event as { body: Json };
      const none = undefined as unknown as string;
      $.respond({ status: 207, headers: { "set-cookie": ["a=1", "b=2"], "x-none": none }, body: { body } });
      $.respond({ status: 500 });
    },
    { trigger: { type: "http", customResponse: true } },
  );
  const answer = await trial.runtime.request(endpointUrl.split("/").at(-1) ?? "", {
    method: "POST",
    path: "/",
    url: endpointUrl,
    search: "",
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode('{"a":1}'),
    clientIp: "127.0.0.1",
  });
  expect([answer.status, answerText(answer)]).toEqual([207, '{"body":{"a":1}}']);
  expect(answer.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
  expect(answer.headers.some(([name]) => name === "x-none")).toBe(false);
  // The answer is sent before the commit.
  await trial.runtime.idle();
  expect(await trial.payloads(id, "$logs")).toMatchObject([
    { msg: "$.respond was called again; the first answer was sent" },
  ]);
});

test("the logs and events of a handler have the limits of a component", async () => {
  const long = "x".repeat(2_000_000);
  const { id } = await register((event, { $ }) => {
    if (event === "exit") return $.flow.exit(long);
    $.send.emit(1, { id: long, summary: long });
    throw Object.assign(new Error(long), { name: long });
  });
  const { error, emitted } = await trial.runtime.invoke(id);
  await trial.runtime.invoke(id, { event: "exit" });
  const records = [...(await trial.payloads(id, "$errors")), ...(await trial.payloads(id, "$logs"))];
  expect(records).toHaveLength(3);
  for (const said of [error, emitted, ...records]) expect(JSON.stringify(said).length).toBeLessThan(100_000);
  const [event] = await trial.stored(id);
  expect(event?.dedupeId).toHaveLength(64);
});

test("closing aborts a run; the run happens in the next process", async () => {
  const data = makeFolder();
  const first = await createRuntime({ data, engine: await testEngine() });
  const begun = Promise.withResolvers<AbortSignal>();
  const id = "p_closing";
  await first.workflow({
    id,
    name: "Closing",
    handler: (_event, { $, signal }) => {
      $.send.emit("never");
      begun.resolve(signal);
      return new Promise(() => undefined);
    },
  });
  await first.start();
  await first.invoke(id, { event: 7, wait: false });
  const signal = await begun.promise;
  await first.close({ drainMs: 1 });
  expect(signal.aborted).toBe(true);

  await using second = await createRuntime({ data, engine: await testEngine() });
  await second.workflow({ id, name: "Closing", handler: (event, { $ }) => $.send.emit(["again", event]) });
  await second.start();
  await second.idle();
  const { items } = await second.storedEvents(id, "emits", { limit: 10 });
  expect(items.map(({ payload }) => payload)).toEqual(['["again",7]']);
});
