import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { XError } from "../../model/src/errors.ts";
import { openTrial } from "../../runtime/src/runtime.cases.ts";
import { readComponentFiles } from "./bundle/component-files.ts";
import { createBundler } from "./bundle/bundler.ts";
import { evaluate, failure, testBundler as bundler, writeFiles } from "./bundle.cases.ts";
import type { Bundled, PackageUse } from "./contract.ts";

const place = mkdtempSync(join(tmpdir(), "project-settings-"));
afterAll(() => rmSync(place, { recursive: true }));
let count = 0;
const folderOf = (files: Record<string, string | object>): string => {
  const texts = Object.entries(files).map(([name, text]) => [
    name,
    typeof text === "string" ? text : JSON.stringify(text),
  ]);
  return writeFiles(place, String((count += 1)), Object.fromEntries(texts) as Record<string, string>);
};
const bundleIn = (root: string, file: string): Promise<Bundled> => bundler.bundle({ file: join(root, file), root });
const valueIn = async (root: string, file: string): Promise<unknown> =>
  (evaluate((await bundleIn(root, file)).bundle) as { default: unknown }).default;
const options = (compilerOptions: object): object => ({ compilerOptions });

const uninstallable: PackageUse = { install: () => Promise.reject(new Error("nothing is installed here")) };
const aliased = {
  "tsconfig.json": `{
    // Comments and trailing commas are allowed.
    "compilerOptions": { "paths": { "@/*": ["./src/*"], "~words": ["./src/words/index.ts"], "@/deep/*.x": ["./src/words/*"], "typed": ["./types.d.ts"] }, },
  }`,
  "src/words/hello.ts": `export const word: string = "hello";`,
  "src/words/index.ts": `export * from "./hello"; export const all = true;`,
  "types.d.ts": "export const nothing: number;",
};

test.each([
  [`import { word } from "@/words/hello"; export default word;`, "hello"],
  [`import { word } from "@/words/hello.js"; export default word;`, "hello"],
  [`import { word } from "@/words"; export default word;`, "hello"],
  [`import { word } from "~words"; export default word;`, "hello"],
  [`import { word } from "@/deep/hello.x"; export default word;`, "hello"],
  [`const { all } = require("~words"); module.exports = { default: all };`, true],
  [`export default typeof (() => import("@/words/hello"));`, "function"],
])("S59 an import by paths of tsconfig.json leads to its file: %s", async (code, value) => {
  const root = folderOf({ ...aliased, "src/sources/a.ts": code });
  expect(await valueIn(root, "src/sources/a.ts")).toBe(value);
});

test("S59 the tsconfig.json nearest to the entry counts, on what it extends: files and packages", async () => {
  const root = folderOf({
    "tsconfig.json": options({ paths: { "#far": ["./far.ts"] } }),
    "base/tsconfig.base.json": options({ baseUrl: "../app/lib", experimentalDecorators: true }),
    "node_modules/@acme/tsconfig/tsconfig.json": options({
      useDefineForClassFields: false,
      paths: { no: ["./no.ts"] },
    }),
    "app/tsconfig.json": {
      extends: ["@acme/tsconfig", "../base/tsconfig.base"],
      ...options({ paths: { "~/*": ["${configDir}/lib/*", "missing/*"], near: ["near.ts"] } }),
    },
    "app/lib/near.ts": `export default "near";`,
    "app/lib/based.ts": `export default "based";`,
    "app/src/a.ts": `import near from "near"; import again from "~/near"; import based from "based";
      function seen(target: object, name: string) { names.push(name); }
      const names: string[] = [];
      class A { @seen one() {} field; }
      export default [near, again, based, names, Object.hasOwn(new A(), "field")];`,
  });
  expect(await valueIn(root, "app/src/a.ts")).toEqual(["near", "near", "based", ["one"], false]);
  const { manifests, warnings } = await bundleIn(root, "app/src/a.ts");
  expect(manifests).toEqual(
    expect.arrayContaining(["app/src/tsconfig.json", "app/tsconfig.json", "base/tsconfig.base.json"]),
  );
  expect(manifests).not.toContain("tsconfig.json");
  expect(warnings).toBeUndefined();
});

test.each([
  [{}, true],
  [{ target: "ES2022" }, true],
  [{ target: "es2021" }, false],
  [{ useDefineForClassFields: false }, false],
  [{ target: "es5", useDefineForClassFields: true }, true],
])("S59 class fields are those of tsconfig.json %j, as with the bundler", async (compilerOptions, isDefined) => {
  const root = folderOf({
    "tsconfig.json": options(compilerOptions),
    "a.ts": `class A { x?: string } export default Object.hasOwn(new A(), "x");`,
  });
  expect(await valueIn(root, "a.ts")).toBe(isDefined);
});

test("S59 decorators of parameters and computed imports get on together; emitDecoratorMetadata is refused by name", async () => {
  const code = `const seen: unknown[] = [];
    const mark = (target: unknown, name: string, at: number) => { seen.push(name, at); };
    class A { go(@mark one: string) { return require("./words/" + "one.js"); } }
    export default seen;`;
  const files = {
    "plain.ts": `const mail: string = "a@example.com"; export default mail;`,
    "words/one.js": "",
    "a.ts": code,
  };
  const root = folderOf({ ...files, "tsconfig.json": options({ experimentalDecorators: true }) });
  expect(await valueIn(root, "a.ts")).toEqual(["go", 0]);
  const refusing = folderOf({
    ...files,
    "tsconfig.json": options({ experimentalDecorators: true, emitDecoratorMetadata: true }),
  });
  expect(await valueIn(refusing, "plain.ts")).toBe("a@example.com");
  const error = await failure(bundleIn(refusing, "a.ts"));
  expect(error.code).toBe("bundle_failed");
  expect(error.message).toContain(`tsconfig.json sets emitDecoratorMetadata`);
  expect(error.message).toContain(`"a.ts" has decorators`);
});

const jsx = `const word: string = "w"; export default <b id={word}>text<i /></b>;`;
const mini = (name: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: `{ "name": "${name}", "version": "1.0.0", "exports": { "./jsx-runtime": "./run.js" } }`,
  [`node_modules/${name}/run.js`]: `exports.jsx = exports.jsxs = (tag, props) => ["${name}", tag, props];`,
});

test.each<[compilerOptions: object, before: string, value: unknown]>([
  [{ jsxFactory: "h" }, "const h = (...all: unknown[]) => all;", ["b", { id: "w" }, "text", ["i", null]]],
  [{}, "const React = { createElement: (tag: string) => tag };", "b"],
  [{ jsx: "preserve" }, "const React = { createElement: (tag: string) => tag };", "b"],
  [
    { jsx: "react-jsx", jsxImportSource: "mini" },
    "",
    ["mini", "b", { id: "w", children: ["text", ["mini", "i", {}]] }],
  ],
])("S59 JSX of a .tsx file is what tsconfig.json %j says", async (compilerOptions, before, value) => {
  const root = folderOf({
    ...mini("mini"),
    "tsconfig.json": options(compilerOptions),
    "page.tsx": `${before}\n${jsx}`,
    "a.ts": `import page from "./page.js"; export default page;`,
  });
  for (const file of ["a.ts", "page.tsx"]) {
    const made = await bundler.bundle({ file: join(root, file) }, uninstallable);
    expect(evaluate(made.bundle), file).toMatchObject({ default: value });
  }
});

test("S59 what a tsconfig.json extends outside of the root is a warning, and the file itself must be JSON", async () => {
  const root = folderOf({
    "base.json": options({ paths: { "@/*": ["./app/*"] } }),
    "app/tsconfig.json": { extends: "../base.json" },
    "app/a.ts": `export default 1;`,
    "app/b.ts": `import x from "@/a"; export default x;`,
    "app/c.ts": `import x from "mapped-name"; export default x;`,
    "broken/tsconfig.json": `{ "compilerOptions": `,
    "broken/a.ts": `export default 1;`,
  });
  const app = join(root, "app");
  expect((await bundleIn(app, "a.ts")).warnings).toEqual([
    {
      rule: "tsconfig-not-read",
      path: "",
      message: `tsconfig.json extends "../base.json", which is not read: it is outside the component's root folder; --root DIR, or the option root, names a wider one`,
      file: "tsconfig.json",
      line: 1,
      column: 1,
    },
  ]);
  const unmapped = await failure(bundleIn(app, "b.ts"));
  expect(unmapped.message).toContain(`no paths of a tsconfig.json in the component's root folder have it`);
  const notFound: PackageUse = {
    install: () => Promise.reject(new XError("package_unresolved", ["mapped-name", "c.ts", "it is in no registry"])),
  };
  const missing = await failure(bundler.bundle({ file: join(app, "c.ts"), root: app }, notFound));
  for (const { details } of [unmapped, missing])
    expect(details["hint"]).toMatch(/^tsconfig\.json extends "\.\.\/base\.json", which is not read: /);
  expect(await valueIn(root, "app/b.ts")).toBe(1);
  expect((await failure(bundleIn(root, "broken/a.ts"))).message).toContain(
    `"broken/tsconfig.json" cannot be used: it is not JSON`,
  );
});

test("S59 paths that lead to no file, or out of the root, are refused with what they mean", async () => {
  const root = folderOf({
    "secret.ts": `export default "canary-secret";`,
    "app/tsconfig.json": options({ paths: { "@app/*": ["./src/*"], "@out/*": ["../*"], "*": ["./any/*"] } }),
    "app/a.ts": `import x from "@app/none"; export default x;`,
    "app/b.ts": `import x from "@out/secret"; export default x;`,
    "app/c.ts": `import x from "word"; export default x;`,
    "app/any/word.ts": `export default "any";`,
  });
  const app = join(root, "app");
  expect((await failure(bundleIn(app, "a.ts"))).message).toContain(
    `"@app/none" is "src/none" by paths of tsconfig.json: "./src/none" does not exist in the component's folder`,
  );
  expect((await failure(bundleIn(app, "b.ts"))).message).toContain(`it is outside the component's root folder`);
  expect(await valueIn(app, "c.ts")).toBe("any");
});

test.each([
  ["#words/hello", { "#words/*": "./src/words/*.ts" }, "hello"],
  ["#hello", { "#hello": { require: "./none.js", node: "./src/words/hello.ts" } }, "hello"],
  ["#hello", { "#hello": { import: { browser: "./none.js", default: "./src/words/hello.ts" } } }, "hello"],
  ["#hello", { "#hello": ["./src/words/hello.ts"] }, "hello"],
  ["#a/b/hello", { "#a/*": "./none/*", "#a/b/*": "./src/words/*.ts" }, "hello"],
])("S59 %s is an import by imports of package.json %j", async (specifier, imports, value) => {
  const root = folderOf({
    ...aliased,
    "package.json": { name: "app", imports },
    "src/a.ts": `import { word } from "${specifier}"; export default word;`,
  });
  expect(await valueIn(root, "src/a.ts")).toBe(value);
});

test("S59 imports of package.json may name built-ins; a name that it does not have is refused with the file", async () => {
  const root = folderOf({
    "package.json": { name: "app", imports: { "#path": "node:path", "#off": null } },
    "a.js": `import { join } from "#path"; export default typeof join;`,
    "b.js": `import x from "#none"; export default x;`,
    "c.js": `import x from "#off"; export default x;`,
    "nested/package.json": { type: "module" },
    "nested/d.js": `import x from "#path"; export default x;`,
  });
  expect((await bundleIn(root, "a.js")).bundle).toContain(`require("node:path")`);
  for (const [file, reason] of [
    ["b.js", "imports of package.json does not have it"],
    ["c.js", "imports of package.json has no file for it"],
    ["nested/d.js", "imports of nested/package.json does not have it"],
  ] as const)
    expect((await failure(bundleIn(root, file))).message, file).toContain(reason);
});

test("S59 other settings make another component, also with a cache of builds", async () => {
  const settings = (folder: string): string => JSON.stringify(options({ paths: { word: [`./${folder}/word.ts`] } }));
  const root = folderOf({
    "tsconfig.json": settings("one"),
    "a.ts": `import word from "word"; import "./one/word"; import "./two/word"; export default word;`,
    "one/word.ts": `export default 1;`,
    "two/word.ts": `export default 2;`,
  });
  const cached = createBundler({
    timeoutMs: 20_000,
    memoryBytes: 512 * 1024 * 1024,
    codeBytes: 512 * 1024,
    buildsFolder: join(root, "builds"),
  });
  try {
    const build = (): Promise<Bundled> => cached.bundle({ file: join(root, "a.ts"), root });
    const first = await build();
    expect((await build()).contentHash).toBe(first.contentHash);
    writeFiles(root, "", { "tsconfig.json": settings("two") });
    const second = await build();
    expect([first, second].map(({ bundle }) => evaluate(bundle))).toMatchObject([{ default: 1 }, { default: 2 }]);
    expect(second.contentHash).not.toBe(first.contentHash);
    writeFiles(root, "", {
      "tsconfig.json": JSON.stringify(options({ paths: { word: ["./new.ts", "./one/word.ts"] } })),
    });
    expect(evaluate((await build()).bundle)).toMatchObject({ default: 1 });
    writeFiles(root, "", { "new.ts": "export default 3;" });
    expect(evaluate((await build()).bundle)).toMatchObject({ default: 3 });
  } finally {
    await cached.close();
  }
});

test("S59 a deploy sends the settings with the files, and they mean the same there", async () => {
  const root = folderOf({
    "package.json": { name: "app", imports: { "#two": "./lib/two.ts" } },
    "base.json": options({ baseUrl: ".", paths: { "@/*": ["./lib/*"] }, target: "es2020" }),
    "src/tsconfig.json": { extends: "../base.json" },
    "lib/one.ts": `export default 1;`,
    "lib/two.ts": `export default 2;`,
    "src/a.ts": `import one from "@/one"; import two from "#two"; import again from "lib/two";
      class A { x?: string } export default [one, two, again, Object.hasOwn(new A(), "x")];`,
  });
  const sent = await readComponentFiles({ file: join(root, "src/a.ts"), root });
  expect(Object.keys(sent.files)).toEqual(expect.arrayContaining(["src/tsconfig.json", "package.json", "lib/one.ts"]));
  const made = await bundler.bundle(sent);
  expect(evaluate(made.bundle)).toMatchObject({ default: [1, 2, 2, false] });
});

test("S59 a first line for the shell is no part of the program, in every language", async () => {
  const first = "#!/usr/bin/env -S node --flag\n";
  const root = folderOf({
    "a.mjs": `${first}import b from "./b.ts"; import c from "./c.cjs"; export default [b, c];`,
    "b.ts": `${first}const two: number = 2; export default two;`,
    "c.cjs": `${first}module.exports = require("./" + "d.js".slice(0)) ?? 3;`.replace(/require.*\?\? /, ""),
    "d.mjs": `${first}export default await Promise.resolve(4);`,
  });
  expect(await valueIn(root, "a.mjs")).toEqual([2, 3]);
  expect((await bundleIn(root, "d.mjs")).bundle).not.toContain("#!");
  expect((await bundler.bundle({ code: `${first}export default 5;` })).bundle).not.toContain("#!");
});

test.each([
  ["a.ts", `export default { url: import.meta.url };`, ["a.ts:1:23 url"]],
  ["a.mjs", `const x = 1;\n/* ü */ export default [x, new URL("./a", import . meta.url)];`, ["a.mjs:2:43 url"]],
  [
    "b.js",
    `const all = await import.meta.resolve?.("./b.js"); export default import.meta.env.KEY;`,
    ["b.js:1:19 resolve", "b.js:1:67 env"],
  ],
  ["c.ts", `if (import.meta.main) process.exit(); export default "import.meta.url"; // import.meta.dirname`, []],
])("S59 %s with import.meta of a place gets a warning that says so: %s", async (name, code, expected) => {
  const { warnings = [] } = await bundleIn(folderOf({ [name]: code }), name);
  const places = warnings.map(
    ({ rule, file, line, column, message }) =>
      rule === "import-meta" && `${file}:${line}:${column} ${/^import\.meta\.(\w+) is undefined/.exec(message)?.[1]}`,
  );
  expect(new Set(places)).toEqual(new Set<unknown>(expected));
});

test("S59 code that fails at once for want of its own place is refused with a hint that says so", async () => {
  const trial = await openTrial({});
  try {
    const code = `const data = new URL("./data.json", import.meta.url).href;
      export default { name: "A", version: "1", run() { this.$emit(data); } };`;
    const error = await failure(trial.runtime.deploy({ code }));
    expect(error.code).toBe("invalid_component");
    expect(error.details["hint"]).toContain(`import.meta.url is undefined`);
  } finally {
    await trial.runtime.close();
  }
});
