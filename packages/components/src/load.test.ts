import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

import { afterAll, expect, test } from "vitest";

import { sha256Hex } from "../../model/src/process/sha256.ts";
import { failure, testBundler as bundler, writeFiles } from "./bundle.cases.ts";
import type { Describe } from "./contract.ts";
import { createComponentLoader } from "./load.ts";

/** Stands for the sandbox: evaluates the bundle with node:vm and describes the component in the same form. */
const describeInNode: Describe = async (bundle) => {
  const module: { exports: unknown } = { exports: {} };
  try {
    const define = runInNewContext(
      `(function (module, exports) {\n${bundle.code}\n})`,
      {},
      { filename: "bundle.js", lineOffset: -1 },
    );
    define(module, module.exports);
  } catch (thrown) {
    const { name, message, stack = "" } = thrown as Error;
    return { ok: false, error: { code: "component_threw", name, message, stack } };
  }
  const exported = module.exports as { default?: unknown };
  const component = exported.default ?? exported;
  const json = JSON.stringify(component, (_key, value: unknown) =>
    typeof value === "function" ? { $function: true } : value,
  );
  return { ok: true, json };
};

const folder = mkdtempSync(join(tmpdir(), "load-"));
const loader = createComponentLoader({
  bundler,
  bundleUrl: () => Promise.reject(new Error("No URL is expected here")),
  describe: describeInNode,
});
afterAll(() => rmSync(folder, { recursive: true }));

test("R005 R006 R007 code becomes a component with its hashes, shape, bundle and map", async () => {
  const code = `export default { name: "Feed watcher", key: "demo-feed", version: "0.1.0",
    props: { url: { type: "string", label: "Feed", options() {} }, db: "$.service.db" },
    hooks: { async deploy() {} }, async run() {} }`;
  const loaded = await loader.load({ code, url: "https://example.test/feed.mjs" });
  expect(loaded).toMatchObject({
    code,
    codeHash: sha256Hex(code),
    contentHash: sha256Hex(code),
    componentUrl: "https://example.test/feed.mjs",
    shape: {
      name: "Feed watcher",
      version: "0.1.0",
      key: "demo-feed",
      props: [
        { name: "url", type: "string", label: "Feed", remoteOptions: true },
        { name: "db", type: "$.service.db" },
      ],
      hooks: ["deploy"],
    },
  });
  expect(loaded.bundle).toContain("Feed watcher");
  expect(JSON.parse(loaded.sourceMap)).toMatchObject({ sources: ["component.js"] });
});

test("a component in files is loaded with its app, and has no URL", async () => {
  const root = writeFiles(folder, "acme", {
    "sources/new.mjs": `import acme from "../acme.app.mjs";
      export default { name: "New", version: "1", props: { acme, board: { propDefinition: [acme, "board"] } }, run() {} };`,
    "acme.app.mjs": `export default { type: "app", app: "acme", propDefinitions: { board: { type: "string", async options() {} } } };`,
  });
  const file = join(root, "sources/new.mjs");
  const loaded = await loader.load({ file, root });
  expect(loaded.componentUrl).toBeNull();
  expect(loaded.contentHash).not.toBe(loaded.codeHash);
  expect(loaded.shape.props).toEqual([
    { name: "acme", type: "app", app: "acme" },
    { name: "board", type: "string", remoteOptions: true },
  ]);
  expect((await failure(loader.load({ file }))).message).toContain("outside the component's root folder");
});

test("an error while evaluating names the author's place and carries the mapped stack", async () => {
  const code = `const settings = undefined;\nconst read = () => settings.name;\nexport default {\n  name: read(),\n};\n`;
  const error = await failure(loader.load({ code }));
  expect(error.code).toBe("invalid_component");
  expect(error.message).toMatch(
    /^Component component\.js cannot be saved: component\.js:2:\d+: TypeError: Cannot read properties of undefined/,
  );
  expect(error.details["stack"]).toMatch(
    /^TypeError: .*\n {4}at read \(component\.js:2:\d+\)\n {4}at component\.js:4:\d+$/s,
  );
  expect(error.details["reason"]).toBe("component_threw");
});

test("an error without a stack still says what was thrown", async () => {
  const error = await failure(loader.load({ code: `const e = new Error("no place"); e.stack = ""; throw e;` }));
  expect(error.message).toBe("Component component.js cannot be saved: Error: no place.");
});

test("all problems of the shape are in one error that names the component", async () => {
  const error = await failure(
    loader.load({ code: `export default { name: "Feed", props: { p: { type: "sting" } } }` }),
  );
  expect(error.code).toBe("invalid_component");
  expect(error.message).toMatch(/^Component Feed cannot be saved: component\.js:1:\d+: version is missing/);
  expect(error.details.errors?.map(({ path }) => path)).toEqual(["/version", "/run", "/props/p/type"]);
});

test("problems of bundling come through as they are", async () => {
  expect((await failure(loader.load({ code: "export default {" }))).code).toBe("bundle_failed");
  expect((await failure(loader.load({ code: `import "axios"` }))).code).toBe("package_unresolved");
});
