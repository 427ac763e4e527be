import { createRuntime, type EventsFilter, type Runtime, type UserRuntime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { createBudgets } from "../budget/memory-budgets.ts";
import type { StreamRequest } from "./frames.ts";
import { createStreams } from "./streams.ts";

const { answers } = createBudgets();
let runtime: Runtime;
let request: Omit<StreamRequest, "hold">;
const withHold = (acting: UserRuntime = runtime): StreamRequest => ({
  ...request,
  runtime: acting,
  hold: answers.open("u_1"),
});
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
  await runtime.start();
  const code = 'export default { name: "Echo", version: "1", run(event) { this.$emit(event) } }';
  const { source } = await runtime.deploy({ code });
  const { apiKey } = (await runtime.user()).user;
  request = { sourceId: source.id, runtime, apiKey, stream: "emits", name: "", select: (resource) => resource };
});
afterAll(() => runtime.close());

/** The runtime, with the subscriptions that were made on it. */
function watched(): { runtime: UserRuntime; filters: EventsFilter[] } {
  const filters: EventsFilter[] = [];
  const events: UserRuntime["events"] = (filter = {}) => {
    filters.push(filter);
    return runtime.events(filter);
  };
  return { runtime: { ...runtime, events }, filters };
}

const report = (error: unknown): void => {
  throw error;
};

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

test("cancelling a stream ends its subscription, also during a read and before the first one", async () => {
  const { runtime: spied, filters } = watched();
  const streams = createStreams({ report });
  const [waiting, unread] = [streams.open(withHold(spied)).getReader(), streams.open(withHold(spied))];
  expect(await readText(waiting)).toContain(": connected");
  const next = waiting.read();
  expect(filters.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
  await waiting.cancel();
  await unread.cancel();
  expect((await next).done).toBe(true);
  expect(filters.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});

test("close ends the open streams and those that are opened afterwards", async () => {
  const { runtime: spied, filters } = watched();
  const streams = createStreams({ report });
  const before = new Response(streams.open(withHold(spied))).text();
  streams.close();
  const after = new Response(streams.open({ ...withHold(spied), replay: 5 })).text();
  for (const text of [await before, await after]) expect(text).toMatch(/^: connected\nretry: \d+\n\n$/);
  expect(filters.every(({ signal }) => signal?.aborted)).toBe(true);
});

test("an event between the answer and the first read is streamed", async () => {
  const streams = createStreams({ report });
  const reader = streams.open(withHold()).getReader();
  await runtime.invoke(request.sourceId, { event: "early" });
  await readText(reader);
  expect(await readText(reader)).toMatch(/^id: \d+-\d+\ndata: \{.*"event":"early".*\}\n\n$/);
  await reader.cancel();
});

test("a stream begins with the id to go on behind, also before its first event", async () => {
  const { source } = await runtime.deploy({
    code: 'export default { name: "E", version: "1", run(e) { this.$emit(e) } }',
  });
  const streams = createStreams({ report });
  const opening = async (): Promise<string> => {
    const reader = streams.open({ ...withHold(), sourceId: source.id }).getReader();
    const text = await readText(reader);
    await reader.cancel();
    return text;
  };
  expect(await opening()).toMatch(/^: connected\nretry: \d+\nid: 0-0\n\n$/);
  await runtime.invoke(source.id, { event: 1 });
  const newest = (await runtime.storedEvents(source.id, "emits", { limit: 1 })).items[0]?.id;
  expect(await opening()).toContain(`\nid: ${newest}\n`);
});

test.each(["none", "some"])(
  "a position ahead of the stream gets a gap, then new events (%s stored)",
  async (stored) => {
    const { source } = await runtime.deploy({
      code: 'export default { name: "E", version: "1", run(e) { this.$emit(e) } }',
    });
    if (stored === "some") await runtime.invoke(source.id, { event: 1 });
    const newest = (await runtime.storedEvents(source.id, "emits", { limit: 1 })).items[0]?.id ?? "0-0";
    const streams = createStreams({ report });
    const after = "99999999999999-0";
    const reader = streams.open({ ...withHold(), sourceId: source.id, after }).getReader();
    expect(await readText(reader)).toContain(": connected");
    expect(await readText(reader)).toBe(`event: gap\ndata: ${JSON.stringify({ after, newest })}\n\n`);
    await runtime.invoke(source.id, { event: "new" });
    expect(await readText(reader)).toMatch(/^id: \d+-\d+\ndata: \{.*"event":"new".*\}\n\n$/);
    await reader.cancel();
  },
);

test("an error of the store fails the stream and is reported, not shown", async () => {
  const reported: unknown[] = [];
  const failing = { ...runtime, storedEvents: () => Promise.reject(new Error("disk")) };
  const streams = createStreams({ report: (error) => reported.push(error) });
  const text = new Response(streams.open({ ...withHold(failing), replay: 1 })).text();
  await expect(text).rejects.toThrow("disk");
  expect(reported).toEqual([new Error("disk")]);
});
