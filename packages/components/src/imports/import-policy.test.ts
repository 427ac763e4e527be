import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, expect, test } from "vitest";

import { testBundler as bundler, writeFiles } from "../bundle.cases.ts";
import { XError } from "../../../model/src/errors.ts";
import type { LocalCode } from "../contract.ts";
import { importMeaning } from "./import-policy.ts";

// Every form in which an import, an attribute or a comment can name a file of the host. None may bring its content out.
const canary = "canary-5f1c0de";
const folder = mkdtempSync(join(tmpdir(), "import-policy-"));

const secret = (extension: string): string => join(folder, "secret", `canary${extension}`);
mkdirSync(join(folder, "secret"));
writeFileSync(secret(".js"), `export default "${canary}"; export const named = "${canary}";`);
writeFileSync(secret(".cjs"), `module.exports = "${canary}";`);
writeFileSync(secret(".ts"), `export default "${canary}" as string;`);
writeFileSync(secret(".json"), JSON.stringify({ canary }));
writeFileSync(secret(".txt"), canary);
writeFileSync(secret(".css"), `.${canary} {}`);
writeFileSync(secret(""), canary);
writeFileSync(
  secret(".map"),
  JSON.stringify({ version: 3, sources: [canary], sourcesContent: [canary], names: [canary], mappings: "AAAAA" }),
);
const root = writeFiles(folder, "component", { "inside.json": "{}", "style.css": `@import "../secret/canary.css";` });
symlinkSync(secret(".js"), join(root, "link.js"));
symlinkSync(secret(".json"), join(root, "link.json"));
symlinkSync(join(folder, "secret"), join(root, "linked"));
execFileSync("mkfifo", [join(root, "pipe.js")]);

afterAll(() => rmSync(folder, { recursive: true }));

/** From the component's folder, out of it. */
const up = (extension: string): string => `../${relative(folder, secret(extension))}`;
const url = (extension: string): string => pathToFileURL(secret(extension)).href;
const exported = (statement: string): string => `${statement}; export default { x }`;

const refusedForms: [form: string, code: string][] = [
  ["import of an absolute path", exported(`import x from "${secret(".js")}"`)],
  ["import of a relative path out of the root", exported(`import x from "${up(".js")}"`)],
  ["import of many parents", exported(`import x from "${"../../".repeat(30)}${secret(".js").slice(1)}"`)],
  ["import through a folder and back", exported(`import x from "./nothing/../${up(".js")}"`)],
  ["import of a file URL", exported(`import x from "${url(".js")}"`)],
  ["import of a data URL", exported(`import x from "data:text/javascript,export default '${canary}'"`)],
  ["import of an http URL", exported(`import x from "http://127.0.0.1/${canary}.js"`)],
  ["import without a scheme", exported(`import x from "//127.0.0.1${secret(".js")}"`)],
  ["import through a link", exported(`import x from "./link.js"`)],
  ["import through a linked folder", exported(`import x from "./linked/canary.js"`)],
  ["JSON through a link", exported(`import x from "./link.json"`)],
  ["bare import of a file", `import "${up(".js")}"; export default {}`],
  ["namespace import", exported(`import * as x from "${secret(".js")}"`)],
  ["export from", `export { named, default } from "${secret(".js")}"`],
  ["export star", `export * from "${secret(".js")}"; export default {}`],
  ["dynamic import", `export default { run: () => import("${secret(".js")}") }`],
  ["dynamic import of a name made at run time", `export default { run: (x) => import(x) }`],
  [
    "dynamic import with options",
    `export default { run: () => import("${secret(".txt")}", { with: { type: "text" } }) }`,
  ],
  ["dynamic import of a pattern", `export default { run: (x) => import("../secret/" + x + ".json") }`],
  ["dynamic import of a template", "export default { run: (x) => import(`../secret/${x}.js`) }"],
  ["require", `module.exports = require("${secret(".cjs")}")`],
  ["require of a relative path", `module.exports = require("${up(".cjs")}")`],
  ["require in a try", `let x; try { x = require("${secret(".cjs")}") } catch {} module.exports = x`],
  ["require of a pattern", "module.exports = { run: (x) => require(`../secret/${x}.json`) }"],
  ["require of a name made at run time", `module.exports = { run: (x) => require(x) }`],
  ["require.resolve", `module.exports = require.resolve("${secret(".cjs")}")`],
  ["TypeScript's import require", `import x = require("${up(".json")}"); export default { x: x as unknown }`],
  ["TypeScript's export import", `export import x = require("${secret(".ts")}"); enum A { x }`],
  ["JSON", exported(`import x from "${secret(".json")}"`)],
  ["JSON attribute", exported(`import x from "${secret(".json")}" with { type: "json" }`)],
  ["text attribute", exported(`import x from "${secret(".txt")}" with { type: "text" }`)],
  ["text attribute on a relative path", exported(`import x from "${up(".txt")}" with { type: "text" }`)],
  ["text attribute on a file inside", exported(`import x from "./inside.json" with { type: "text" }`)],
  ["bytes attribute", exported(`import x from "${secret("")}" with { type: "bytes" }`)],
  ["json attribute on text", exported(`import x from "${secret(".txt")}" with { type: "json" }`)],
  ["old assert attribute", exported(`import x from "${secret(".json")}" assert { type: "json" }`)],
  ["an unknown attribute", exported(`import x from "./inside.json" with { loader: "file" }`)],
  ["?raw", exported(`import x from "${up(".txt")}?raw"`)],
  ["?raw on an absolute path", exported(`import x from "${secret(".txt")}?raw"`)],
  ["?raw on a file inside", exported(`import x from "./inside.json?raw"`)],
  ["?url with a hash", exported(`import x from "${up(".js")}#x"`)],
  ["a file without an extension", exported(`import x from "${up("")}"`)],
  ["a style sheet", `import "${up(".css")}"; export default {}`],
  ["a style sheet inside that imports", `import "./style.css"; export default {}`],
  ["a deferred import", exported(`import defer * as x from "${secret(".js")}"`)],
  ["a source phase import", exported(`import source x from "${secret(".js")}"`)],
  ["a package import name", exported(`import x from "#secret"`)],
  ["a bare name with parents", exported(`import x from "pkg/../../secret/canary.js"`)],
  ["a bare name as in a baseUrl", exported(`import x from "secret/canary.js"`)],
  ["backslashes", exported(`import x from ".\\\\..\\\\secret\\\\canary.js"`)],
  ["a NUL in the path", exported(`import x from "./inside.json\\0.js"`)],
  ["a loader prefix", exported(`import x from "raw-loader!${up(".txt")}"`)],
  ["a namespace prefix", exported(`import x from "file:${secret(".js")}"`)],
  ["a package alias", exported(`import x from "a@npm:x"`)],
  ["a pipe that never ends", exported(`import x from "./pipe.js"`)],
  [
    "JSX with a runtime of its own",
    `/** @jsxImportSource ${secret(".js")} */ /* @jsxRuntime automatic */ export default <a />`,
  ],
  ["JSX with a factory import", `/* @jsx x */ import x from "${secret(".js")}"; export default <a />`],
];

const harmlessForms: [form: string, code: string][] = [
  ["a built-in that reads files", `module.exports = require("fs").readFileSync("${secret("")}", "utf8")`],
  ["new URL beside import.meta", `export default { run: () => new URL("${up(".js")}", import.meta.url) }`],
  ["a worker", `export default { run: () => new Worker(new URL("${up(".js")}", import.meta.url)) }`],
  ["a service worker style import", `export default { run: () => importScripts("${secret(".js")}") }`],
  ["import.meta.glob", `export default { run: () => import.meta.glob("../secret/*", { eager: true, as: "raw" }) }`],
  ["import.meta.resolve", `export default { run: () => import.meta.resolve("${up(".js")}") }`],
  ["a source map by path", `export default { a: 1 }\n//# sourceMappingURL=${secret(".map")}`],
  ["a source map by relative path", `export default { a: 1 }\n//# sourceMappingURL=${up(".map")}`],
  ["a source map by file URL", `export default { a: 1 }\n//# sourceMappingURL=${url(".map")}`],
  ["a source map by file URL in a block comment", `export default { a: 1 }\n/*# sourceMappingURL=${url(".map")} */`],
  [
    "a source map by file URL before other comments",
    `//# sourceMappingURL=${url(".map")}\nexport default { a: 1 } // end`,
  ],
  [
    "a source map in a pipe that never ends",
    `export default { a: 1 }\n//# sourceMappingURL=${pathToFileURL(join(root, "pipe.js")).href}`,
  ],
  [
    "a source map in a data URL",
    `export default { a: 1 }\n//# sourceMappingURL=data:application/json;base64,${readFileSync(secret(".map")).toString("base64")}`,
  ],
  ["an old source map comment", `export default { a: 1 }\n//@ sourceMappingURL=${secret(".map")}`],
  ["a source URL", `export default { a: 1 }\n//# sourceURL=${secret(".js")}`],
  ["a reference path", `/// <reference path="${secret(".ts")}" />\nexport default { a: 1 }`],
  ["a type-only import", `import type x from "${secret(".ts")}"; export default { a: 1 as number }`],
  ["a type import", `export default { a: 1 as import("${secret(".ts")}").x }`],
  [
    "a style sheet in a string",
    `export default { css: '@import "${secret(".css")}"; a { background: url(${secret(".txt")}) }' }`,
  ],
];

async function everythingShown(input: LocalCode): Promise<{ built: boolean; text: string }> {
  const outcome = await bundler.bundle(input).then(
    ({ bundle, sourceMap }) => ({ built: true, text: bundle + sourceMap }),
    (error: unknown) => {
      if (!XError.is(error)) throw error;
      return { built: false, text: JSON.stringify([error.code, error.message, error.stack, error.details]) };
    },
  );
  return outcome;
}

/** What the author wrote stands in frames; the canary of the cases that spell it out is not the file's. */
const withoutAuthorText = (text: string, code: string): string => (code.includes(canary) ? "" : text);

const climbing = `${"../../".repeat(30)}${secret("").slice(1)}`;
const computedForms: [form: string, code: string][] = [
  ["an addition", `import("${climbing}" + x)`],
  ["a template", `import(\`${climbing}\${x}\`)`],
  ["a template that begins with a part", `import(\`\${"../../"}${climbing.slice(3)}\${x}\`)`],
  ["additions in parentheses", `import("." + ("." + ("${climbing.slice(2)}" + x)))`],
  ["require", `require("${climbing}" + x)`],
  ["an escaped name", `r\\u0065quire("${climbing}" + x)`],
  ["a name in parentheses", `(require)("${climbing}" + x)`],
  ["a comment in between", `import /* here */ (// and here\n"${climbing}" + x)`],
  ["one of two", `import(x ? "${climbing}" + x : "./inside.json")`],
  ["an attribute", `import("${climbing}" + x, { with: { type: "json" } })`],
  ["a deferred import", `import.defer("${climbing}" + x)`],
  ["a source phase import", `import.source("${climbing}" + x)`],
  ["spread", `[...require("${climbing}" + x)]`],
  ["code after a return", `(() => { return; import("${climbing}" + x); })()`],
  ["TypeScript", `import(<string>"${climbing}" + (x as string)!)`],
];

test.each(computedForms)("a computed import looks for no file of the host: %s", async (_, form) => {
  const refused = bundler.bundle({ code: `export default { run: (x) => ${form} };` });
  const error = (await refused.catch((problem: unknown) => problem)) as XError;
  expect(error).toMatchObject({ code: "bundle_failed" });
  expect(error.message).toContain("the path of an import must be a string literal");
  expect(JSON.stringify([error.message, error.details])).not.toMatch(/canary\.\w+/);
});

test("a computed import in dead code is removed", async () => {
  const code = `export default { run: (x) => false && import("${climbing}" + x) };`;
  const { bundle } = await bundler.bundle({ code });
  expect(bundle).not.toMatch(/glob|canary/);
});

test("a method named import, and a text that looks like an import, are unchanged", async () => {
  const run = `run: (api, id) => [api.import("lists/" + id), api.require(\`./\${id}\`), 'write require("./plugins/" + name)']`;
  const { bundle } = await bundler.bundle({ code: `export default { ${run} };` });
  expect(bundle).toContain(`api.import("lists/" + id)`);
  expect(bundle).toContain(`'write require("./plugins/" + name)'`);
});

test.each([
  [
    "component.js",
    `export default {\n  help: 'require("./" + name)',\n  run: (é, x) => import("./a/" + x),\n};`,
    3,
    18,
  ],
  ["component.js", `type A = string;\nexport default {\n  run: (x: A) =>\n    import(\`./a/\${x}\`),\n};`, 4, 5],
])("a computed import is refused at its place in the author's file: %s", async (file, code, line, column) => {
  const error = (await bundler.bundle({ code }).catch((problem: unknown) => problem)) as XError;
  expect(error.details.errors).toEqual([expect.objectContaining({ file, line, column }) as unknown]);
});

test("imports of literals are unchanged, and the source map still has the author's lines", async () => {
  const code = `const types = require("@x/types");\n\nexport default {\n  later: () => import("./inside.json"), 'caf\\u00e9': 1,\n  boom() {\n    throw types; } };`;
  writeFileSync(join(root, "lines.js"), code);
  const { bundle, sourceMap, code: kept } = await bundler.bundle({ file: join(root, "lines.js"), root });
  expect(kept).toBe(code);
  const line = bundle.split("\n").findIndex((text) => text.includes("throw types"));
  const found = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload).findEntry(
    line,
    bundle.split("\n")[line]?.indexOf("throw") ?? 0,
  );
  expect(found).toMatchObject({ originalSource: "lines.js", originalLine: 5, originalColumn: 4 });
});

for (const [where, input] of [
  ["text", (code: string): LocalCode => ({ code })],
  [
    "a file",
    (code: string): LocalCode => {
      const file = join(root, "entry.ts");
      // JavaScript first, as for text: the same forms in both languages.
      writeFileSync(join(root, "entry.js"), code);
      writeFileSync(file, code);
      return { file: code.includes("import type") || code.includes(" as ") ? file : join(root, "entry.js"), root };
    },
  ],
] as const) {
  test.each(refusedForms)(`in ${where}, %s is refused and shows nothing of the host`, async (_form, code) => {
    const { built, text } = await everythingShown(input(code));
    expect(built).toBe(false);
    expect(text).toMatch(/"(bundle_failed|package_unresolved|package_refused)"/);
    expect(withoutAuthorText(text, code)).not.toContain(canary);
  });

  test.each(harmlessForms)(`in ${where}, %s brings nothing of the host along`, async (_form, code) => {
    const { built, text } = await everythingShown(input(code));
    expect(built).toBe(true);
    expect(text).not.toContain(canary);
  });
}

test("the canaries would be seen: a file inside the root does reach the bundle", async () => {
  const { text } = await everythingShown({ file: join(folder, "secret", "canary.js"), root: folder });
  expect(text).toContain(canary);
  expect(readFileSync(join(root, "link.js"), "utf8")).toContain(canary);
});

test("an entry outside its root is refused, by path and by link", async () => {
  for (const file of [secret(".js"), join(root, "link.js"), join(root, "..", "secret", "canary.js")]) {
    const { built, text } = await everythingShown({ file, root });
    expect(built).toBe(false);
    expect(text).toContain("outside the root folder");
    expect(text).not.toContain(canary);
  }
});

test("text has no relative imports at all", async () => {
  const { text } = await everythingShown({ code: `import "./inside.json"` });
  expect(text).toContain("code sent as text has no files beside it");
});

test.each(["import-rule", "url-token", "composes-from", "require-resolve"] as const)(
  "an import of kind %s is refused whatever it names",
  (kind) => {
    expect(importMeaning("@x/types", kind, {})).toMatchObject({ kind: "refused" });
  },
);
