import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testEngineWithin } from "../engine.cases.ts";
import type { RecordedRequest } from "../../../model/src/execution-model.ts";
import { componentText, createGate, gatedProp, gatedValue, openTrial, type Trial } from "../runtime.cases.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ limits: { httpBodyBytes: 200_000 } });
});
afterAll(() => trial.runtime.close());

const code = componentText(`props: { http: "$.interface.http", token: { type: "string", secret: true } }, run() {},`);

/** The request of the newest execution. */
async function newestRequest(sourceId: string): Promise<RecordedRequest | undefined> {
  await trial.runtime.idle();
  const { items } = await trial.runtime.storedExecutions(sourceId, { limit: 1 });
  return (await trial.runtime.execution(items[0]?.id ?? "")).detail.request;
}

describe("the request of an execution", () => {
  it("is as it was received, with secrets masked in its target, headers and body", async () => {
    const view = await trial.deploy(code, { token: "sesame-1234" });
    const headers = [
      ["X-Key", "Key sesame-1234"],
      ["Accept", "b"],
      ["x-key", ""],
    ] as const;
    const target = "/in/k/%7e?key=sesame%2D1234&b";
    await trial.hit(view, { method: "patch", target, httpVersion: "1.0", headers, text: "my sesame-1234" });
    expect(await newestRequest(view.source.id)).toEqual({
      method: "patch",
      target: expect.stringMatching(/^\/in\/k\/%7e\?key=\*\*\*/) as string,
      httpVersion: "1.0",
      headers: [
        ["X-Key", "Key ***"],
        ["Accept", "b"],
        ["x-key", ""],
      ],
      body: { text: "my ***" },
    });
  });

  it("has the path and query of its URL where the target is not known, and no body where there was none", async () => {
    const view = await trial.deploy(code, { token: "sesame-1234" });
    await trial.hit(view, { url: "http://x.test/in/k/p?q=1", headers: [] });
    expect(await newestRequest(view.source.id)).toEqual({ method: "POST", target: "/in/k/p?q=1", headers: [] });
  });

  it("has the beginning of a body whose event is too large to be stored, and the first of very long headers", async () => {
    const view = await trial.deploy(code, { token: "sesame-1234" });
    const headers = ["a", "b", "c", "d"].map((name) => [name, "y".repeat(5_000)] as const);
    await trial.hit(view, { headers, text: "\u0001".repeat(100_000) });
    const request = await newestRequest(view.source.id);
    expect(request?.headers.map(([name]) => name)).toEqual(["a", "b", "c"]);
    expect(request?.headersTruncated).toBe(true);
    expect(request?.body).toMatchObject({ truncated: true });
    expect(request?.body?.text?.slice(0, 16_000)).toBe("\u0001".repeat(16_000));
  });

  it("is not stored again with a replay", async () => {
    const view = await trial.deploy(code, { token: "sesame-1234" });
    await trial.hit(view, {});
    await trial.runtime.idle();
    const { items } = await trial.runtime.storedExecutions(view.source.id, { limit: 1 });
    await trial.runtime.replay(items[0]?.id ?? "");
    expect(await newestRequest(view.source.id)).toBeUndefined();
  });

  it("waits with its trigger, and only where executions are stored", async () => {
    for (const executionsPerSource of [100, 0]) {
      const memory = createMemory();
      const gate = createGate();
      const engine = await testEngineWithin({ executionsPerSource });
      const held = await openTrial({ memory, engine, accounts: gate.accounts });
      const view = await held.deploy(componentText(`props: { http: "$.interface.http", ${gatedProp} }, run() {},`), {
        ...gatedValue,
      });
      gate.close();
      await held.hit(view, { target: "/sent", headers: [["A", "1"]], text: "x".repeat(5_000) });
      const store = memory.open();
      const [waiting] = await store.triggers();
      const received = (await store.trigger(waiting?.id ?? ""))?.received;
      expect(received).toBe(
        executionsPerSource === 0 ? undefined : '{"method":"POST","target":"/sent","headers":[["A","1"]]}',
      );
      await held.runtime.close({ drainMs: 0 });
    }
  });
});
