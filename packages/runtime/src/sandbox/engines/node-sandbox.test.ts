import { afterAll, beforeAll, expect, test } from "vitest";

import { createEngine } from "../../engine.ts";
import { defaults } from "../../api/options.ts";
import type { Sandbox } from "../contract.ts";
import { createNodeSandbox } from "./node-sandbox.ts";
import { createPool } from "../pool/pool.ts";
import { runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createNodeSandbox({ limits: defaults });
});
afterAll(() => sandbox.close());

/** What a component emits first. */
async function emitted(body: string, box: Sandbox = sandbox): Promise<unknown> {
  const { emits, outcome } = await tryComponent(box, runBody(body));
  expect(outcome.error).toBeUndefined();
  return JSON.parse(emits[0]?.payload ?? "null");
}

test("a realm has nothing of Node, and the names that the sandbox's has", async () => {
  const names = `this.$emit(Object.getOwnPropertyNames(globalThis).filter((name) => globalThis[name] !== undefined).sort())`;
  const pool = await createPool({ workers: 1, limits: defaults });
  const [inNode, inSandbox] = (await Promise.all([emitted(names), emitted(names, pool)])) as [string[], string[]];
  await pool.close();
  expect(inNode.filter((name) => !inSandbox.includes(name))).toEqual([]);
  // The engine's own class of errors.
  expect(inSandbox.filter((name) => !inNode.includes(name))).toEqual(["InternalError"]);
});

test("every call has a realm of its own; a warm source keeps its", async () => {
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

test("code that never ends is stopped at its deadline, in jobs too, and so is a wait", async () => {
  const bodies = ["for (;;);", "await null; for (;;);", "await new Promise((done) => setTimeout(done, 1e6));"];
  const ends = bodies.map(async (body) => (await tryComponent(sandbox, runBody(body), { timeoutMs: 300 })).outcome);
  const codes = (await Promise.all(ends)).map(({ status, error }) => [status, error?.code]);
  expect(codes).toEqual(bodies.map(() => ["timeout", "sandbox_timeout"]));
});

test("a rejection that nobody handles is not the process's", async () => {
  const heard: unknown[] = [];
  const hear = (reason: unknown): void => void heard.push(reason);
  process.on("unhandledRejection", hear);
  const lost = `Promise.reject(new Error("lost")); (async () => { await null; throw new Error("lost too"); })();`;
  expect(await emitted(`${lost} await new Promise((done) => setTimeout(done, 5)); this.$emit("done")`)).toBe("done");
  process.off("unhandledRejection", hear);
  expect(heard).toEqual([]);
});

test("closing ends what runs and refuses what comes", async () => {
  const closing = createNodeSandbox({ limits: defaults });
  const begun = Promise.withResolvers<void>();
  const body = `console.log("begun"); await new Promise((done) => setTimeout(done, 1e6));`;
  const running = tryComponent(closing, runBody(body), { logged: begun.resolve });
  await begun.promise;
  await closing.close();
  expect((await running).outcome.error?.code).toBe("closed");
  expect((await tryComponent(closing, runBody(""))).outcome.error?.code).toBe("closed");
});

test("an engine of another kind is refused", async () => {
  await expect(createEngine({ sandbox: "v8" as "node" })).rejects.toMatchObject({ code: "invalid_options" });
});
