import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createEngine } from "../../../runtime/src/engine.ts";
import type { SandboxKind } from "@x/sandbox";
import { openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";
import { failure, writeFiles } from "../bundle.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "top-level-await-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

describe.each(["quickjs", "node"] as const)("await at the top level of a module in %s", (sandbox: SandboxKind) => {
  let trial: Trial;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const engine = await createEngine({ sandbox, workers: sandbox === "node" ? 0 : 1 });
    trial = await openTrial({ engine });
    close = async () => {
      await trial.runtime.close();
      await engine.close();
    };
  });
  afterAll(() => close());

  /** What a component with these files emits in two runs. */
  async function emitted(files: Record<string, string>): Promise<unknown[]> {
    const root = writeFiles(folder, `component${(count += 1)}`, files);
    const { source } = await trial.runtime.deploy({ file: join(root, "feed.mjs"), root });
    await trial.runtime.invoke(source.id);
    await trial.runtime.invoke(source.id);
    return trial.payloads(source.id);
  }
  const component = (value: string): string =>
    `export default { name: "Feed", version: "1", run() { this.$emit(${value}); } };`;

  it.each([
    ["a promise", { "feed.mjs": `const value = await Promise.resolve(3);\n${component("value")}` }, 3],
    [
      "a relative import",
      {
        "feed.mjs": `import { value } from "./lib/value.js";\n${component("value")}`,
        "lib/value.js": `export const value = await new Promise((done) => queueMicrotask(() => done("lib")));`,
      },
      "lib",
    ],
    [
      "an import that is put off",
      {
        "feed.mjs": `const { value } = await import("./value.mjs");\n${component("value")}`,
        "value.mjs": `export const value = "later";`,
      },
      "later",
    ],
    [
      "timers, in their order",
      {
        "feed.mjs": `import { setTimeout as wait } from "node:timers/promises";
          const seen = [];
          setTimeout(() => seen.push("second"), 2_000);
          setTimeout(() => seen.push("first"), 1_000);
          await wait(3_000);\n${component("seen")}`,
      },
      ["first", "second"],
    ],
    [
      "built-ins in every form",
      {
        "feed.mjs": `import crypto, { createHash } from "node:crypto"; import * as path from "path";
          const { Buffer } = await import("node:buffer");
          const value = [createHash === crypto.createHash, path.join("a", "b"), Buffer.from("x").toString("hex")];
          ${component("value")}`,
      },
      [true, "a/b", "78"],
    ],
    [
      "a loop and a package",
      {
        "feed.mjs": `import twice from "twice";\nlet value = 0;\nfor await (const n of [1, 2, 3]) value += twice(n);\n${component("value")}`,
        "node_modules/twice/package.json": `{ "name": "twice", "version": "1.0.0" }`,
        "node_modules/twice/index.js": `module.exports = (n) => 2 * n;`,
      },
      12,
    ],
  ] as [string, Record<string, string>, unknown][])("of %s", async (_, files, value) => {
    expect(await emitted(files)).toEqual([value, value]);
  });

  it("shows the author's line of what is thrown after it", async () => {
    const code = `const value = await Promise.resolve(3);\nexport default { name: "Feed", version: "1",\n  run() { throw new Error("boom " + value); } };`;
    const { source } = await trial.runtime.deploy({ code });
    const { error } = await trial.runtime.invoke(source.id);
    expect(error?.stack).toMatch(/component\.js:3:\d+/);
  });

  it.each([
    ["rejects", `await Promise.reject(new Error("no such thing"));`, "Error: no such thing"],
    ["throws later", `await null;\nthrow new Error("no such thing");`, /component\.js:2:\d+: Error: no such thing/],
    ["never ends", `\nawait new Promise(() => {});`, "component.js:2:1: this top-level await never ends"],
    ["asks the network", `const r = await fetch("https://example.com");`, "component.js:1:11: this top-level await"],
  ])("that %s is refused at deploy", async (_, code, message) => {
    const error = await failure(trial.runtime.deploy({ code: `${code}\n${component("1")}` }));
    expect(error.code).toBe("invalid_component");
    expect(error.message).toMatch(message);
  });

  it("works in the action of a workflow", async () => {
    const code = (value: string): string =>
      `${value}\nexport default { name: "A", version: "1", type: "action", run({ $ }) { $.send.emit(value); } };`;
    const steps = ["const value = await Promise.resolve(1);", "const value = 2;"].map((value, index) => ({
      name: `step${index}`,
      component: { code: code(value) },
    }));
    const { id } = await trial.runtime.workflow({ steps, name: "Both" });
    await trial.runtime.invoke(id);
    expect(await trial.payloads(id)).toEqual([1, 2]);
  });
});
