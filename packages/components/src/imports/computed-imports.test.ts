import { expect, test } from "vitest";

import { findComputedImports, mayHaveComputedImport, withoutComputedCalls } from "./computed-imports.ts";
import { evaluate } from "../bundle.cases.ts";

/** What is called in each computed import. */
const called = (code: string): string[] | undefined =>
  mayHaveComputedImport(code) ? findComputedImports(code)?.map(({ start, end }) => code.slice(start, end)) : [];

test.each([
  ["import('./a/' + name)", "import"],
  ["import(`./a/${name}.js`)", "import"],
  ["import(/* here */ ('./a/' + name), { with: { type: 'json' } })", "import"],
  ["import.defer('./a/' + name)", "import.defer"],
  ["require(name ? './a/' + name : './b')", "require"],
  ["require((0, './a/' + name))", "require"],
  ["(require)('./a/' + name)", "require"],
  ["(0, require)('./a/' + name)", "(0, require)".slice(1, -1)],
  ["require?.('./a/' + name)", "require"],
  ["r\\u0065quire('./a/' + name)", "r\\u0065quire"],
  ["module.require('./a/' + name)", "module.require"],
  ["module['require']('./a/' + name)", "module['require']"],
  ["with (a) require('./a/' + name)", "require"],
  ["const p = './a/'; require(p + name)", "require"],
])("%s is a computed import", (code, callee) => {
  expect(called(code)).toEqual([callee]);
});

test.each([
  "api.import('lists/' + id)",
  "api?.import('lists/' + id)",
  "api.client.require('./' + id)",
  "({ import(path) { return this.import('a/' + path) } })",
  "class A { #require(path) { return this.#require('./' + path) } }",
  "const help = 'write require(\"./plugins/\" + name)';",
  'const help = `import("./${name}")`;',
  "const text = /require('a' + b)/;",
  "// import('./a/' + name)\nrun();",
  "const require = createRequire(import.meta.url); require('./a/' + name)",
  "((require, module, exports) => require('./a/' + name))",
  "require(__dirname + '/words.js')",
  "require('./a' + '.js')",
  "import(name)",
  "require(`./a.js`)",
  "import('./a.js') + import.meta.url",
])("%s is none", (code) => {
  expect(called(code)).toEqual([]);
});

test("code that cannot be parsed is distinguished from code without computed imports", () => {
  expect(findComputedImports("import('./a/' + ")).toBeUndefined();
});

const changed = (text: string): Promise<string> => withoutComputedCalls(text, "package:it/index.js", "js");

test("a text in a package that looks like an import is unchanged", async () => {
  const text = `module.exports = 'require("./plugins/" + name)'; (name) => api.import("lists/" + name);`;
  expect(await changed(text)).toBe(text);
});

test("imports of computed paths throw when they are executed; positions do not change", async () => {
  const text = `let said; try { ((name) => require("./" + name))("a"); } catch (error) { said = error.message; }
    module.exports = [said, 'require("./" + name)'];`;
  const code = await changed(text);
  expect(code.slice(0, text.length)).toBe(text.replace("require", "$equire"));
  const said = "Cannot find module './a': paths that are put together at run time are not bundled";
  expect(evaluate(code)).toEqual([said, 'require("./" + name)']);
});

test("invalid code is refused by esbuild", async () => {
  await expect(changed(`require("./" + `)).rejects.toThrow("Unexpected end of file");
});
