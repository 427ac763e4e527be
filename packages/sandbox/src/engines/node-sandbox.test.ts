import { afterAll, beforeAll, expect, test } from "vitest";

import { createEngine } from "../../../runtime/src/engine.ts";
import { defaults } from "../../../model/src/limits.ts";
import type { Sandbox } from "../contract.ts";
import { createNodeSandbox } from "./node-sandbox.ts";
import { createPool } from "../pool/pool.ts";
import { largeEvents, outcomeBesideWork, returnLargeEvent, runBody, tryComponent, waits } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createNodeSandbox({ limits: defaults });
});
afterAll(() => sandbox.close());

/** The first event of a component. */
async function emitted(body: string, box: Sandbox = sandbox): Promise<unknown> {
  const { emits, outcome } = await tryComponent(box, runBody(body));
  expect(outcome.error).toBeUndefined();
  return JSON.parse(emits[0]?.payload ?? "null");
}

test("a realm has no globals of Node, and those of the sandbox", async () => {
  const names = `this.$emit(Object.getOwnPropertyNames(globalThis).filter((name) => globalThis[name] !== undefined).sort())`;
  const pool = createPool({ workers: 1, limits: defaults });
  const [inNode, inSandbox] = (await Promise.all([emitted(names), emitted(names, pool)])) as [string[], string[]];
  await pool.close();
  expect(inNode.filter((name) => !inSandbox.includes(name))).toEqual([]);
  // An error class of the engine.
  expect(inSandbox.filter((name) => !inNode.includes(name))).toEqual(["InternalError"]);
});

test("every call has its own realm; a warm source keeps it", async () => {
  const code = `let calls = 0; ${runBody("globalThis.seen = (globalThis.seen ?? 0) + 1; this.$emit([++calls, seen])")}`;
  const twice = async (warm: boolean): Promise<unknown[]> => {
    const trial = { source: `warm ${warm}`, call: { warm } };
    const first = await tryComponent(sandbox, code, trial);
    const second = await tryComponent(sandbox, code, trial);
    return [first, second].map(({ emits }) => JSON.parse(emits[0]?.payload ?? "") as unknown);
  };
  expect(await twice(false)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(await twice(true)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test.each(largeEvents)("an event of $length characters reaches the component whole", async (event) => {
  expect(await returnLargeEvent(sandbox, event)).toEqual([event, 1]);
});

test.each(Object.entries(waits))(
  "other work of the thread does not count against a call that awaits %s",
  async (_name, waited) => {
    expect(await outcomeBesideWork(sandbox, waited, 500)).toMatchObject({ status: "ok" });
  },
);

test("endless code, endless jobs and endless waits are stopped at the deadline", async () => {
  const bodies = ["for (;;);", "await null; for (;;);", "await new Promise((done) => setTimeout(done, 1e6));"];
  const ends = bodies.map(async (body) => (await tryComponent(sandbox, runBody(body), { timeoutMs: 300 })).outcome);
  const codes = (await Promise.all(ends)).map(({ status, error }) => [status, error?.code]);
  expect(codes).toEqual(bodies.map(() => ["timeout", "sandbox_timeout"]));
});

test("an unhandled rejection of a component does not reach the process", async () => {
  const received: unknown[] = [];
  const listener = (reason: unknown): void => void received.push(reason);
  process.on("unhandledRejection", listener);
  const lost = `Promise.reject(new Error("lost")); (async () => { await null; throw new Error("lost too"); })();`;
  expect(await emitted(`${lost} await new Promise((done) => setTimeout(done, 5)); this.$emit("done")`)).toBe("done");
  process.off("unhandledRejection", listener);
  expect(received).toEqual([]);
});

test("closing ends running calls and refuses new ones", async () => {
  const closing = createNodeSandbox({ limits: defaults });
  const begun = Promise.withResolvers<void>();
  const body = `console.log("begun"); await new Promise((done) => setTimeout(done, 1e6));`;
  const running = tryComponent(closing, runBody(body), { logged: begun.resolve });
  await begun.promise;
  await closing.close();
  expect((await running).outcome.error?.code).toBe("closed");
  expect((await tryComponent(closing, runBody(""))).outcome.error?.code).toBe("closed");
});

test("an engine of an unknown kind is refused", async () => {
  await expect(createEngine({ sandbox: "v8" as "node" })).rejects.toMatchObject({ code: "invalid_options" });
});
