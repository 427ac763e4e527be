import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type CodeSandbox, createSandbox } from "./code-sandbox.ts";

let sandbox: CodeSandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    workers: 1,
    memoryBytes: 32 * 1024 * 1024,
    fetch: ({ url }) =>
      Promise.resolve({
        url,
        status: 200,
        statusText: "OK",
        headers: [],
        body: Buffer.from("hello"),
        redirected: false,
      }),
  });
});
afterAll(() => sandbox.close());

describe("createSandbox", () => {
  it.each([
    ["a function", "module.exports = ({ a, b }) => a + b", 3],
    ["an async function", "module.exports = async ({ a }) => { await null; return [a]; }", [1]],
    ["a default export", "exports.default = ({ b }) => ({ b })", { b: 2 }],
    ["nothing", "module.exports = () => {}", null],
    [
      "Node's modules",
      `const path = require("node:path"); module.exports = ({ a }) => path.join("x", String(a))`,
      "x/1",
    ],
    ["a request", `module.exports = async () => (await fetch("http://example.com")).text()`, "hello"],
  ])("returns the result of %s", async (_, code, value) => {
    expect(await sandbox.run(code, { a: 1, b: 2 })).toMatchObject({ status: "ok", value, logs: [] });
  });

  it.each([
    ["an error", "module.exports = () => { throw new TypeError('no') }", { status: "error", error: { message: "no" } }],
    [
      "code that is no module",
      "{",
      { status: "error", error: { message: expect.stringMatching(/^The module did not finish: syntax/) } },
    ],
    ["no function", "module.exports = 1", { status: "error", error: { name: "TypeError" } }],
    [
      "all of its memory",
      "module.exports = () => { const all = []; for (;;) all.push(new Array(10_000).fill(1)); }",
      { status: "out_of_memory" },
    ],
  ])("reports %s, and runs what comes next", async (_, code, expected) => {
    const { value, ...result } = await sandbox.run(code);
    expect(result).toMatchObject(expected);
    expect(value).toBeUndefined();
    expect(await sandbox.run("module.exports = () => 1")).toMatchObject({ status: "ok", value: 1 });
  });

  it("shows the line of the code that threw", async () => {
    const { error } = await sandbox.run("module.exports = () => {\n  null.x;\n}");
    expect(error?.stack).toMatch(/bundle\.js:2:/);
  });

  it("stops an endless loop, which held no other run", async () => {
    await using own = await createOwn(300);
    const endless = own.sandbox.run("module.exports = () => { for (;;); }");
    expect(await endless).toMatchObject({ status: "timeout" });
    expect(await own.sandbox.run("module.exports = () => 1")).toMatchObject({ status: "ok", value: 1 });
  });

  it("leaves nothing of a run to the next one of the same code", async () => {
    const code = "module.exports = () => { globalThis.n = (globalThis.n ?? 0) + 1; return n; }";
    const values = [];
    for (let run = 0; run < 3; run += 1) values.push((await sandbox.run(code)).value);
    expect(values).toEqual([1, 1, 1]);
  });

  it("collects what the code logs, and ends an aborted run", async () => {
    const logged = await sandbox.run("module.exports = () => { console.warn('careful', 1) }");
    expect(logged.logs).toMatchObject([{ level: "warn", data: '["careful",1]' }]);
    expect(await sandbox.run("module.exports = () => 1", null, AbortSignal.abort())).toMatchObject({
      error: { code: "closed" },
    });
  });
});

it.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { memoryBytes: -1 }, { memoryBytes: 1.5 }])(
  "createSandbox refuses %o",
  async (options) => {
    await expect(createSandbox(options)).rejects.toMatchObject({ code: "invalid_options" });
  },
);

async function createOwn(timeoutMs: number): Promise<AsyncDisposable & { readonly sandbox: CodeSandbox }> {
  const own = await createSandbox({ workers: 1, timeoutMs });
  return { sandbox: own, [Symbol.asyncDispose]: () => own.close() };
}
