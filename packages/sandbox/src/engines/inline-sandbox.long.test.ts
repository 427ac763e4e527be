import { afterAll, beforeAll, expect, test } from "vitest";

import { createEngine } from "../../../runtime/src/engine.ts";
import { defaults } from "../../../model/src/limits.ts";
import type { Outcome, Sandbox } from "../contract.ts";
import { createInlineSandbox } from "./inline-sandbox.ts";
import { largeEvents, outcomeBesideWork, returnLargeEvent, runBody, tryComponent, waits } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createInlineSandbox({ limits: defaults });
});
afterAll(() => sandbox.close());

const outcomeOf = async (body: string, timeoutMs = 60_000): Promise<Outcome> =>
  (await tryComponent(sandbox, runBody(body), { timeoutMs })).outcome;

test("every call has its own realm, made from one image", async () => {
  const code = `let calls = 0; ${runBody("globalThis.seen = (globalThis.seen ?? 0) + 1; this.$emit([++calls, seen])")}`;
  for (let call = 0; call < 3; call++)
    expect((await tryComponent(sandbox, code)).emits.map(({ payload }) => payload)).toEqual(["[1,1]"]);
});

test("a warm source keeps its realm", async () => {
  const code = `let calls = 0; ${runBody("this.$emit(++calls)")}`;
  const payloads = [];
  for (let call = 0; call < 3; call++)
    payloads.push((await tryComponent(sandbox, code, { source: "warm", call: { warm: true } })).emits[0]?.payload);
  expect(payloads).toEqual(["1", "2", "3"]);
});

test.each(largeEvents)("an event of $length characters reaches the component whole", async (event) => {
  expect(await returnLargeEvent(sandbox, event)).toEqual([event, 1]);
});

test("data of one tenant is not visible to the next in the same machine", async () => {
  const secret = "s3cret".repeat(25_000);
  await tryComponent(sandbox, runBody(`globalThis.kept = ${JSON.stringify(secret)} + event.more`), {
    event: { more: secret },
  });
  const { emits } = await tryComponent(sandbox, runBody(`this.$emit(typeof globalThis.kept)`));
  expect(emits.map(({ payload }) => payload)).toEqual(['"undefined"']);
});

test.each(Object.entries(waits))(
  "other work of the thread does not count against a call that awaits %s",
  async (_name, waited) => {
    expect(await outcomeBesideWork(sandbox, waited, 500)).toMatchObject({ status: "ok" });
  },
);

test("endless code, endless jobs and endless waits are stopped at the deadline", async () => {
  const bodies = [
    "for (;;);",
    "await null; for (;;);",
    "await new Promise((done) => setTimeout(done, 1e6));",
    "/(a*)*b/.test('a'.repeat(60))",
  ];
  const ends = [];
  for (const body of bodies) ends.push(await outcomeOf(body, 100));
  expect(ends.map(({ status, error }) => [status, error?.code])).toEqual(
    bodies.map(() => ["timeout", "sandbox_timeout"]),
  );
});

test("the memory cap holds, and the next call gets a machine", async () => {
  expect(await outcomeOf("const all = []; for (;;) all.push('x'.repeat(1e6));")).toMatchObject({
    status: "out_of_memory",
  });
  expect(await outcomeOf("")).toMatchObject({ status: "ok" });
});

test("deep recursion ends as in a thread; exhausting the host's stack ends only that call", async () => {
  const recursion = await outcomeOf("const deeper = () => deeper() + 1; deeper();");
  expect(recursion.error).toMatchObject({ name: "InternalError", message: "stack overflow" });
  const nested = await outcomeOf("let all = []; for (let n = 0; n < 1e5; n++) all = [all]; JSON.stringify(all);");
  expect(nested.status).toBe("error");
  expect(await outcomeOf("")).toMatchObject({ status: "ok" });
});

test("a module that cannot be evaluated fails its calls and its description", async () => {
  const code = "throw new Error('no module')";
  const described = await sandbox.describe({ hash: "none", code }, { timeoutMs: 5_000, memoryBytes: 64 * 2 ** 20 });
  expect(described).toMatchObject({ ok: false, error: { code: "component_threw", message: "no module" } });
  expect((await tryComponent(sandbox, code)).outcome.error).toMatchObject({ message: "no module" });
});

test("a module whose evaluation never ends times out", async () => {
  const code = "for (;;);";
  const limits = { timeoutMs: 100, memoryBytes: 64 * 2 ** 20 };
  expect(await sandbox.describe({ hash: "late", code }, limits)).toMatchObject({ error: { code: "sandbox_timeout" } });
  const { outcome } = await tryComponent(sandbox, code, { timeoutMs: 100 });
  expect(outcome).toMatchObject({ status: "timeout", error: { code: "sandbox_timeout" } });
});

test("calls wait side by side, and closing ends them", async () => {
  const closing = createInlineSandbox({ limits: defaults });
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = begun.map(({ resolve }, index) =>
    tryComponent(closing, runBody(`console.log(${index}); await fetch("https://api.example.com")`), {
      logged: resolve,
      fetch: () => new Promise(() => undefined),
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  await closing.close();
  for (const { outcome } of await Promise.all(running)) expect(outcome.error?.code).toBe("closed");
  expect((await tryComponent(closing, runBody(""))).outcome.error?.code).toBe("closed");
});

test("an engine without threads runs components in its own thread", async () => {
  await using engine = await createEngine({ workers: 0 });
  const { outcome } = await tryComponent(engine.sandbox, runBody("this.$emit(1)"));
  expect(outcome.status).toBe("ok");
});
