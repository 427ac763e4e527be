import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder, runX } from "../spawned.cases.ts";
import { lintExitCode } from "./lint.ts";

interface Report {
  readonly files: readonly { readonly findings: readonly object[] }[];
}

test("components and workflows are checked together; what is no component is an error with its line", async () => {
  await using folder = await makeFolder({
    "warns.ts": `const version: string = "1";
export default { name: "Warns", version, key: "warns", description: "Emits", props: {
  token: { type: "string" } }, run() { this.$emit(this.token); } };`,
    "broken.js": `export default {\n  name: "broken" version: "1" };`,
    "empty.js": "export default { name: 1, version: 2, methods: { a() {} } };",
    "flow.js": `export default { name: "Flow", steps: [{ name: "one", action: { run() { return 1; } } }] };`,
  });
  const files = ["warns.ts", "broken.js", "empty.js", "flow.js"];
  const { code, out, err } = await runX(["lint", ...files, "--json"], { cwd: folder.path });
  expect([code, err]).toEqual([1, ""]);
  const report = JSON.parse(out) as Report;
  expect(report).toMatchObject({ errors: 4, warnings: 1, infos: 0, exit_code: 1 });
  expect(report.files).toMatchObject([
    { findings: [{ rule: "secret-not-marked", severity: "warning", file: "warns.ts", line: 3 }] },
    { findings: [{ rule: "bundle_failed", severity: "error", file: "broken.js", line: 2, column: 18 }] },
    { findings: ["/name", "/run", "/version"].map(() => ({ rule: "invalid_component", file: "empty.js", line: 1 })) },
    { component: "Flow", findings: [] },
  ]);
});

test("a component in a tree of files is checked with all of them", async () => {
  await using folder = await makeFolder({
    "components/acme/package.json": "{}",
    "components/acme/common/base.mjs": `export const name = "Acme";`,
    "components/acme/sources/new-order/new-order.mjs": `import { name } from "../../common/base.mjs";
export default { name, version: "1", key: "acme-new-order", description: "Emits", run() { this.$emit(1); } };`,
  });
  const { code, out } = await runHere(["lint", "components/acme/sources/new-order/new-order.mjs"], {
    cwd: folder.path,
  });
  expect(out).toBe("1 checked: errors 0, warnings 0, hints 0\n");
  expect(code).toBe(0);
});

test("tests and apps beside components are skipped with a message", async () => {
  const app = `methods: { get() { return 1; } } };`;
  await using folder = await makeFolder({
    "acme.app.mjs": `export default { type: "app", app: "acme", ${app}`,
    "crm.ts": `import { defineApp } from "@x/types";\nexport default defineApp({ type: "app", app: "crm", ${app.replace("};", "});")}`,
    "erp.js": `export default {\n  // Shared.\n  type: "app", app: "erp", ${app}`,
    "one.js": `import acme from "./acme.app.mjs";
export default { name: "One", version: "1", key: "acme-one", description: "Emits", props: { acme }, run() { this.$emit(this.acme.get()); } };`,
    "one.test.js": `import { test } from "vitest";\ntest("one", () => undefined);`,
  });
  const files = ["acme.app.mjs", "crm.ts", "erp.js", "one.js", "one.test.js"];
  const { code, out } = await runHere(["lint", ...files, "--strict"], { cwd: folder.path });
  expect(out).toBe(
    [
      ...files.slice(0, 3).map((file) => `${file}  skipped: an app is checked with the components that use it`),
      "one.test.js  skipped: a test is not a component",
      "1 checked, 4 skipped: errors 0, warnings 0, hints 0\n",
    ].join("\n"),
  );
  expect(code).toBe(0);
});

test("warnings count only with --strict", async () => {
  await using folder = await makeFolder({
    "warns.js":
      'export default { name: "a", version: "1", props: { apiKey: { type: "string" } }, run() { this.apiKey; } };',
  });
  const { code, out } = await runHere(["lint", "warns.js", "--strict"], { cwd: folder.path });
  expect(code).toBe(1);
  expect(lintExitCode({ errors: 0, warnings: 1 }, false)).toBe(0);
  expect(lintExitCode({ errors: 1, warnings: 0 }, false)).toBe(1);
  expect(out).toContain('warns.js:1:52  warning  Prop "apiKey" looks like a secret');
  expect(out).toMatch(/\n1 checked: errors 0, warnings 1, hints 2\n$/);
});

test("hints are shown with --strict, and counted without it", async () => {
  await using folder = await makeFolder({
    "plain.js": `export default { name: "a", version: "1", run() {} };`,
  });
  const quiet = await runHere(["lint", "plain.js"], { cwd: folder.path });
  expect(quiet.out).toBe("1 checked: errors 0, warnings 0, hints 2 (--strict shows them)\n");
  const strict = await runHere(["lint", "plain.js", "--strict"], { cwd: folder.path });
  expect(strict.out).toMatch(/hint  The component has no key\.[^]*hint  The component has no description\./);
  expect(strict.out).toMatch(/\n1 checked: errors 0, warnings 0, hints 2\n$/);
  expect(strict.code).toBe(0);
});

test.each(["defineComponent", "defineAction", "defineMixin"])(
  "%s without an import gets a hint with the import, when it is checked and when it runs",
  async (define) => {
    await using folder = await makeFolder({
      "a.js": `export default ${define}({ name: "a", version: "1", run() {} });`,
      "b.js": `export default { name: "b", version: "1", run() { return ${define}({}); } };`,
    });
    const hint = `import it first: import { ${define} } from "@x/types"`;
    const checked = await runHere(["lint", "a.js"], { cwd: folder.path });
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(hint)]);
    for (const name of ["a.js", "b.js"]) {
      const { out, err } = await runHere(["run", name], { cwd: folder.path });
      expect(out + err, name).toContain(hint);
    }
  },
);

test("the environment that a package reads is its own matter", async () => {
  await using folder = await makeFolder({
    "package.json": `{ "name": "app", "dependencies": { "it": "*" } }`,
    "node_modules/it/package.json": `{ "name": "it", "version": "1.0.0" }`,
    "node_modules/it/index.js": `module.exports = process.env.DEBUG;`,
    "own.js": `export const level = process.env.LEVEL;`,
    "a.js": `import it from "it"; import { level } from "./own.js";
export default { name: "a", version: "1", run() { this.$emit([it, level]); } };`,
  });
  const { out } = await runHere(["lint", "a.js"], { cwd: folder.path });
  expect(out).toContain("own.js:1:22  warning  process.env.LEVEL is undefined");
  expect(out).not.toContain("DEBUG");
});

test("the warnings of a deploy are reported with their lines", async () => {
  await using folder = await makeFolder({
    "a.js": `export default {
  name: "A", version: "1", key: "a", description: "Emits",
  props: {
    timer: { type: "$.interface.timer", default: { interval: 60 } },
  },
  hooks: {
    onDeploy() {},
  },
  run() { this.$emit(1); },
};`,
  });
  const { code, out } = await runHere(["lint", "a.js"], { cwd: folder.path });
  expect(code).toBe(0);
  expect(out).toContain('a.js:4:52  warning  interval in default of timer "timer" is not a field of timers');
  expect(out).toContain("a.js:7:5  warning  hooks.onDeploy is never called");
  expect(out).toContain("See x explain unknown-hook.");
});

test("an unknown member of this is reported with its line", async () => {
  await using folder = await makeFolder({
    "a.ts": `export default {
  name: "A", version: "1", key: "a", description: "Emits",
  props: { team: { type: "string" } },
  methods: { list(): string[] { return [this.team]; } },
  run() {
    this.$emit([this.list(), this.taem]);
  },
};`,
  });
  const { code, out } = await runHere(["lint", "a.ts"], { cwd: folder.path });
  expect(code).toBe(0);
  expect(out).toContain("a.ts:6:35  warning  this.taem is undefined");
  expect(out).toContain('(did you mean "team"?)  undeclared-member\n    See x explain undeclared-member.');
});
