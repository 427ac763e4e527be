import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sha256Hex } from "../../model/src/process/sha256.ts";
import type { Sandbox } from "./contract.ts";
import { openOwnSandbox, runBody, type Seen, tryComponent } from "./sandbox.cases.ts";

/** Disables the cutting in the guest, so that its texts are as long as its memory allows. */
const uncut = `String.prototype.slice = String.prototype.substring = String.prototype.substr = function () { return String(this) };
  const long = "x".repeat(2e6);`;
const memoryBytes = 256 * 1024 * 1024;

describe("text of a component beyond the guest's own limits", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = openOwnSandbox();
  });
  afterAll(() => sandbox.close());

  const run = (body: string, call: object = {}): Promise<Seen> =>
    tryComponent(sandbox, runBody(`${uncut} ${body}`), { memoryBytes, call });

  it.each([
    ["message", `throw new Error(long)`],
    ["name", `throw Object.assign(new Error("x"), { name: long })`],
    ["stack", `throw Object.assign(new Error("x"), { stack: long })`],
    ["cause", `throw new Error("x", { cause: new Error(long) })`],
    ["thrown string", `throw long`],
    ["stack with frames", `throw Object.assign(new Error("x"), { stack: "    at f (bundle.js:1:1)\\n".repeat(1e5) })`],
    ["origin", `await new Promise((done) => setTimeout(done)); throw Object.assign(new Error("x"), { stack: long })`],
  ])("is cut in the %s of an error", async (_what, body) => {
    const { error } = (await run(body)).outcome;
    expect(error?.code).toBe("component_threw");
    expect(JSON.stringify(error).length).toBeLessThan(256 * 1024);
  });

  it("is cut in log records, also in those of rejections", async () => {
    const seen = await run(
      `console.log(long); console.error({ long }); Promise.reject(new Error(long)); await new Promise((done) => setTimeout(done))`,
    );
    expect(seen.logs).toHaveLength(3);
    for (const { msg, data } of seen.logs) expect(msg.length + data.length).toBeLessThan(64 * 1024);
  });

  it("is cut in the summary of an event before it leaves the thread", async () => {
    const seen = await run(`this.$emit(1, { id: 1, summary: long, ts: 5 })`);
    expect(seen.emits[0]).toMatchObject({ id: "1", ts: 5 });
    expect(seen.emits[0]?.summary).toHaveLength(1_000);
  });

  it("is replaced by its hash as the id of an event", async () => {
    const seen = await run(`this.$emit(1, { id: long })`);
    expect(seen.emits[0]?.id).toBe(sha256Hex("x".repeat(2e6)));
  });

  const asked = {
    self: {
      props: {},
      http: { http: { endpoint: "http://a.example/", customResponse: true } },
      timers: {},
      db: [],
      auth: {},
    },
    httpProp: "http",
  };

  it("is refused in the body of a response; the component can continue", async () => {
    const seen = await run(
      `let refused; try { this.http.respond({ status: 200, body: new Uint8Array(34e6) }) } catch (error) { refused = error.name.split("\\n")[0] }
       this.$emit(refused);`,
      asked,
    );
    expect(seen.emits[0]?.payload).toBe('"ResponseTooLargeError"');
    expect(seen.responses).toEqual([]);
  });

  it("leaves the thread in one response, however often the component responds", async () => {
    const seen = await run(
      `const answers = Array.from({ length: 3 }, () => ({}));
       Object.defineProperty(Object.prototype, "sent", { get: () => false });
       for (const _ of answers) this.http.respond({ status: 200, body: "x" })`,
      asked,
    );
    expect(seen.responses).toHaveLength(1);
  });

  // From so few bytes the host would make more objects than the guest's memory cap allows.
  it("is refused as a list in place of a log record", async () => {
    const seen = await run(
      `const many = Array(2e5).fill(0); Object.prototype.toJSON = () => many; console.log("told")`,
    );
    expect(seen.logs).toEqual([]);
  });

  it("is refused as a list in place of the metadata of an event", async () => {
    const seen = await run(
      `const many = Array(2e5).fill(0); Object.prototype.toJSON = function () { return "id" in this ? many : this }; this.$emit(1, { id: 1 })`,
    );
    expect(seen.outcome.error?.message).toContain("The host refused a malformed call");
  });

  it("is refused as a list in place of the result", async () => {
    const seen = await run(
      `const many = Array(2e5).fill(0); Object.prototype.toJSON = () => ({ error: { message: many } })`,
    );
    expect(seen.outcome.error?.message).toBe("run awaits a promise that nothing can settle");
  });

  it.each([
    ["a text", `description: "x".repeat(9e6)`],
    ["parts", `list: Array.from({ length: 9_000 }, () => "x".repeat(1_000))`],
    [
      "forged parts",
      `get list() { Object.prototype.toJSON = function () { return "json" in this ? { json: "[" + "[],".repeat(2e6) + "[]]" } : this }; return 1 }`,
    ],
  ])("is refused in a description that is too large: %s", async (_what, member) => {
    const code = `module.exports = { name: "t", version: "1", run() {}, ${member} };`;
    const described = await sandbox.describe({ hash: sha256Hex(code), code }, { timeoutMs: 20_000, memoryBytes });
    expect(JSON.stringify(described).slice(0, 200)).toContain(`"ok":false`);
    expect(JSON.stringify(described).length).toBeLessThan(64 * 1024);
  });

  it("is cut in the error of a module", async () => {
    const code = `${uncut} throw new Error(long)`;
    const described = await sandbox.describe({ hash: sha256Hex(code), code }, { timeoutMs: 20_000, memoryBytes });
    expect(described).toMatchObject({ ok: false, error: { code: "component_threw" } });
    expect(JSON.stringify(described).length).toBeLessThan(256 * 1024);
  });
});
