import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { testBundler } from "../bundle.cases.ts";
import { readDeclared } from "./read-declared.ts";

test.each([
  ["an object", `export default { key: "a-b", name: "B", version: "1.0", type: "source", description: \`D\` };`],
  [
    "a constant",
    `const it = { key: "a-b", name: "B", version: "1.0", type: "source", description: "D" }; export default it;`,
  ],
  [
    "a define call",
    `export default defineSource({ key: "a-b", name: "B", version: "1.0", type: "source", description: "D" });`,
  ],
  ["CommonJS", `module.exports = { key: "a-b", name: "B", version: "1.0", type: "source", description: "D" };`],
  [
    "a named default",
    `const it = { key: "a-b", name: "B", version: "1.0", type: "source", description: "D" }; export { it as default };`,
  ],
  [
    "constants as values, and spread members before",
    `const key = "a-b", version = "1.0"; export default { ...base, key, name: "B", version: version, type: "source", description: "D" };`,
  ],
])("a component is known by %s", (_form, code) => {
  const { imports, ...rest } = readDeclared(code);
  expect(rest).toEqual({ kind: "component", key: "a-b", name: "B", version: "1.0", type: "source", description: "D" });
  expect(imports).toEqual([]);
});

test.each([
  ["helper", `export default { props: {}, methods: {}, run() {} };`],
  ["helper", `export const words = ["a"];`],
  ["helper", `module.exports.clean = () => 1;`],
  ["helper", `export default (a) => a;`],
  ["helper", ""],
  ["unknown", `export default { ...common, props: {} };`],
  ["unknown", `export default { key: "a-" + name, name: "B" };`],
  ["unknown", `export default { name: "B", version: "1", run() {} };`],
  ["unknown", `export default make({ key: "a-b" });`],
  ["unknown", `export { default } from "./other.mjs";`],
  ["unknown", `import it from "./other.mjs"; export default it;`],
  ["unknown", `export default {`],
])("%s: %s", (kind, code) => {
  expect(readDeclared(code).kind).toBe(kind);
});

test("an app has its slug, and the fields of accounts that its code reads", () => {
  const code = `import { axios } from "platform"; import x from "./x.mjs"; const y = require("old");
    export default { type: "app", app: "acme", methods: {
      _headers() { return { authorization: this.$auth.oauth_access_token }; },
      url() { const { region, domain: d } = this.$auth; return this?.$auth?.["host"] + region + d; },
    } };`;
  const declared = readDeclared(code);
  expect(declared).toMatchObject({ kind: "app", app: "acme", imports: ["platform", "./x.mjs", "old"] });
  expect(declared.auth?.toSorted()).toEqual(["domain", "host", "oauth_access_token", "region"]);
});

test("files are read in order, TypeScript too; what cannot be read or parsed is unknown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "declared-"));
  const files = {
    "a.ts": `interface A { a: string } export default { key: "typed", name: "T", version: "1", run(event: A): void {} };`,
    "deep.mjs": `export default { key: ${"(".repeat(100_000)}`,
    "b.mjs": `export default { key: "b", name: "B", version: "1" };`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const names = ["a.ts", "absent.mjs", "deep.mjs", "b.mjs"];
  try {
    const found = await testBundler.declare(names.map((name) => join(folder, name)));
    expect(found.map(({ kind, key }) => key ?? kind)).toEqual(["typed", "unknown", "unknown", "b"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
