import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { afterAll, afterEach, expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { sha256Hex } from "../../../model/src/process/sha256.ts";
import * as types from "../../../types/src/index.ts";
import { createBundler } from "./bundler.ts";
import type { Bundled, Bundler } from "../contract.ts";
import { evaluate, failure, writeFiles } from "../bundle.cases.ts";

const limits = { timeoutMs: 8_000, memoryBytes: 512 * 1024 * 1024, codeBytes: 512 * 1024 };
const folder = mkdtempSync(join(tmpdir(), "bundler-"));
const shared = createBundler(limits);
const opened: Bundler[] = [];
const open = (options: Partial<typeof limits> = {}): Bundler => {
  const bundler = createBundler({ ...limits, ...options });
  opened.push(bundler);
  return bundler;
};

afterEach(async () => {
  await Promise.all(opened.splice(0).map((bundler) => bundler.close()));
});
afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true });
});

test("R030 an ES module becomes CommonJS text with its default export", async () => {
  const { bundle } = await shared.bundle({ code: `export default { name: "Feed", run() { return 1 } }` });
  expect(evaluate(bundle)).toMatchObject({ default: { name: "Feed" } });
});

test("R030 a CommonJS module keeps what it exports", async () => {
  const { bundle } = await shared.bundle({ code: `module.exports = { name: "Feed" };` });
  expect(evaluate(bundle)).toEqual({ name: "Feed" });
});

test("TypeScript text is taken when it is no JavaScript", async () => {
  const code = `import { defineComponent } from "@x/types";
    import type { Thing } from "./not-there";
    enum Kind { A = "a" }
    export default defineComponent({ name: Kind.A as string, run(this: Thing): void {} });`;
  const { bundle } = await shared.bundle({ code });
  expect(evaluate(bundle)).toMatchObject({ default: { name: "a" } });
});

test("text that is both JavaScript and TypeScript means what it means in JavaScript", async () => {
  const { bundle } = await shared.bundle({ code: `const f = 3, a = 1, b = 2; export default (f < a, b > (4));` });
  expect(evaluate(bundle)).toMatchObject({ default: false });
});

test("identity functions of the types package are importable from both module systems", async () => {
  const { bundle } = await shared.bundle({ code: `module.exports = require("@x/types").defineApp({ type: "app" })` });
  expect(evaluate(bundle)).toEqual({ type: "app" });
  const names = Object.keys(types).toSorted();
  const all = await shared.bundle({ code: `import * as all from "@x/types"; export default Object.keys(all);` });
  expect((evaluate(all.bundle) as { default: string[] }).default.toSorted()).toEqual(names);
});

test("R006 R007 G59 the code is kept byte for byte, and one file's content hash is the hash of the code", async () => {
  const code = `\uFEFFexport default { name: "Grüße 🌍\\u0000" }\r\n`;
  const built = await shared.bundle({ code });
  expect(built.code).toBe(code);
  expect(built.contentHash).toBe(sha256Hex(code));
  expect(evaluate(built.bundle)).toMatchObject({ default: { name: "Grüße 🌍\0" } });
});

test("a component in files follows relative imports with and without extension, indexes, JSON, CommonJS and TypeScript", async () => {
  const root = writeFiles(folder, "acme", {
    "sources/new/new.mjs": `import acme from "../../acme.app.mjs"; import common from "../common";
      import { limit } from "../../data.json"; import data from "../../data.json" with { type: "json" };
      export default { ...common, acme, limit, data, old: require("../old") };`,
    "sources/common/index.ts": `import { word } from "../../word"; import typed from "../typed.js";
      export default { typed, word: word satisfies string };`,
    "sources/typed.ts": `export default 1 as number;`,
    "sources/old.cjs": `exports.old = require("../word.mts").word;`,
    "acme.app.mjs": `export default { type: "app", app: "acme" };`,
    "word.mts": `export const word: string = "w";`,
    "data.json": `{ "limit": 3 }`,
  });
  const input = { file: join(root, "sources/new/new.mjs"), root };
  const built = await shared.bundle(input);
  expect(evaluate(built.bundle)).toMatchObject({
    default: {
      acme: { type: "app", app: "acme" },
      word: "w",
      typed: 1,
      limit: 3,
      data: { limit: 3 },
      old: { old: "w" },
    },
  });
  expect(built.code).toBe(readFileSync(input.file, "utf8"));
  const { sources, sourcesContent } = JSON.parse(built.sourceMap) as { sources: string[]; sourcesContent?: unknown[] };
  expect(sources).toContain("sources/new/new.mjs");
  expect(sources.filter((source) => source.includes(":") || source.includes(folder))).toEqual([]);
  // The author's own code, to name what an error is about.
  expect(sourcesContent?.[sources.indexOf("sources/new/new.mjs")]).toContain("export default { ...common, acme");
  expect(sourcesContent?.[sources.indexOf("data.json")]).toBeNull();
  expect(built.bundle).not.toContain(folder);
  const fromHere = await shared.bundle({
    file: relative(process.cwd(), input.file),
    root: relative(process.cwd(), root),
  });
  expect(fromHere.contentHash).toBe(built.contentHash);
});

test("the content hash of several files changes with each of them and not with where they are", async () => {
  const files = { "a.js": `import "./b.js"; export default 1`, "b.js": `globalThis.b = 1` };
  const bundleOf = async (name: string, contents: Record<string, string>): Promise<string> => {
    const root = writeFiles(folder, name, contents);
    return (await shared.bundle({ file: join(root, "a.js") })).contentHash;
  };
  const first = await bundleOf("hash-1", files);
  expect(await bundleOf("hash-2", files)).toBe(first);
  expect(await bundleOf("hash-3", { ...files, "b.js": `globalThis.b = 2` })).not.toBe(first);
  expect(first).not.toBe(sha256Hex(files["a.js"]));
});

test("a link that leads to another of the same files makes another component", async () => {
  const root = writeFiles(folder, "led", {
    "a.js": `import now from "./now/n.js"; import one from "./one/n.js"; import two from "./two/n.js"; export default [now, one, two];`,
    "one/n.js": `export default 1;`,
    "two/n.js": `export default 2;`,
  });
  const bundleWith = async (target: string): Promise<Bundled> => {
    rmSync(join(root, "now"), { force: true });
    symlinkSync(target, join(root, "now"));
    return shared.bundle({ file: join(root, "a.js") });
  };
  const [first, second, again] = [await bundleWith("one"), await bundleWith("two"), await bundleWith("one")];
  expect([first, second].map(({ bundle }) => evaluate(bundle))).toMatchObject([
    { default: [1, 1, 2] },
    { default: [2, 1, 2] },
  ]);
  expect(second.contentHash).not.toBe(first.contentHash);
  expect(again.contentHash).toBe(first.contentHash);
});

test("a bundle lists the paths where imports were looked for, with folders and links", async () => {
  const root = writeFiles(folder, "places", {
    "app/a.ts": `import "./word"; import "../lib/now/deep"; import "./typed.js"; import "./exact.js"; export default 1;`,
    "app/word.mjs": "",
    "app/typed.ts": "",
    "app/exact.js": "",
    "real/deep/index.js": "",
    "lib/other.js": "",
  });
  symlinkSync("../real", join(root, "lib/now"));
  const { files, places } = await shared.bundle({ file: join(root, "app/a.ts"), root });
  expect(files).toEqual(["app/a.ts", "app/exact.js", "app/typed.ts", "app/word.mjs", "real/deep/index.js"]);
  const deep = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".json", "/index.js"];
  const expected = ["app", "app/typed.js", "app/word", "app/word.js", "lib", "lib/now", "real", "real/deep"];
  expect(places).toEqual([...expected, ...deep.map((end) => `lib/now/deep${end}`)].toSorted());
});

test("package files, and a tsconfig above the root, do not influence a build", async () => {
  const above = writeFiles(folder, "configured", {
    "tsconfig.json": `{ "compilerOptions": { "paths": { "*": ["./other/*"] }, "baseUrl": ".", "useDefineForClassFields": false, "target": "es5" } }`,
    "app/package.json": `{ "name": "self", "type": "commonjs", "imports": { "#x": "./x.js" }, "browser": { "./x.js": "./y.js" }, "sideEffects": false }`,
    "app/node_modules/dep/index.js": `module.exports = "leaked"`,
    "app/x.js": `globalThis.seen = "x"; export default "x"`,
    "app/y.js": `export default "y"`,
    "app/main.ts": `import "./x.js"; import x from "./x.js"; class A { x } export default [x, Object.hasOwn(new A(), "x")]`,
    "app/dependent.ts": `import "dep"`,
  });
  const root = join(above, "app");
  const { bundle } = await shared.bundle({ file: join(root, "main.ts") });
  expect(evaluate(bundle)).toMatchObject({ default: ["x", true] });
  expect(bundle).toContain("globalThis.seen");
  expect(await failure(shared.bundle({ file: join(root, "dependent.ts") }))).toMatchObject({
    code: "package_unresolved",
  });
});

test("a syntax error names the author's file, line and column and shows the line", async () => {
  const error = await failure(shared.bundle({ code: `export default {\n  name: "é" x,\n}` }));
  expect(error.code).toBe("bundle_failed");
  expect(error.message).toContain("Component component.js cannot be bundled: component.js:2:13: Expected");
  expect(error.message).toContain(`2 |   name: "é" x,\n  |             ^`);
  expect(error.details.errors).toMatchObject([{ path: "", file: "component.js", line: 2, column: 13 }]);
});

test("when neither language reads the text, the JavaScript error is reported", async () => {
  const error = await failure(shared.bundle({ code: `enum A { x }\nexport default {` }));
  expect(error.message).toContain("component.js:1:1");
  const root = writeFiles(folder, "typescript", { "feed.ts": `enum A { x }\nexport default {` });
  expect((await failure(shared.bundle({ file: join(root, "feed.ts") }))).message).toContain("feed.ts:2:17");
});

test("every problem is listed", async () => {
  const root = writeFiles(folder, "several", {
    "a.js": `import "./b.js";\nimport "./c.js";\nimport "left-pad";`,
    "b.js": `const = 1`,
  });
  const error = await failure(shared.bundle({ file: join(root, "a.js") }));
  expect(error.code).toBe("bundle_failed");
  expect(error.details.errors?.map(({ message }) => message.split(": ")[0])).toEqual(
    expect.arrayContaining(["b.js:1:7", "a.js:2:8", "a.js:3:8"]),
  );
  expect(error.message).toContain("(and 2 more)");
});

test.each([
  ["left-pad", "left-pad"],
  ["@scope/name", "@scope/name"],
  ["lodash/get", "lodash"],
  ["axios@1.2.3", "axios"],
  ["@scope/name@^2.0.0/lib/x.js", "@scope/name"],
])("package %s is unresolved, with the package and the importer", async (specifier, name) => {
  const error = await failure(shared.bundle({ code: `import x from "${specifier}"; export default { x }` }));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toBe(
    `Package "${name}" imported by component.js cannot be resolved: packages are not available to this runtime.`,
  );
  expect(error.details).toMatchObject({ package: name, specifier, importer: "component.js" });
});

test.each(["node:sqlite", "node:test/reporters", "node:no-such"])(
  "built-in %s is unresolved with a sentence of its own",
  async (specifier) => {
    const error = await failure(shared.bundle({ code: `import x from "${specifier}"; export default { x }` }));
    expect(error.code).toBe("package_unresolved");
    expect(error.message).toContain(`Package "${specifier}" imported by component.js`);
    expect(error.message).toContain("components have no built-in of that name");
  },
);

test("a file that is too large, not text or not there is refused by name", async () => {
  const bundler = open({ codeBytes: 1_000 });
  const large = `export default "${"x".repeat(1_000)}"`;
  const root = writeFiles(folder, "sizes", {
    "small.js": `import "./large.js"`,
    "large.js": large,
    "binary.js": Buffer.from([0x61, 0xff, 0xfe]),
    "page.css": "body {}",
  });
  const message = async (name: string): Promise<string> =>
    (await failure(bundler.bundle({ file: join(root, name) }))).message;
  expect((await failure(bundler.bundle({ code: large }))).message).toContain("at most 1000 bytes, got 1017");
  expect(await message("small.js")).toContain(`File "large.js" must be at most 1000 bytes, got 1017`);
  expect(await message("binary.js")).toContain("not UTF-8");
  expect(await message("page.css")).toContain("must end in");
  expect(await message("nothing.js")).toContain("does not exist");
});

test("files that are read for a second attempt do not count twice", async () => {
  const bundler = open({ codeBytes: 1_000 });
  const names = Array.from({ length: 12 }, (_, index) => `part${index}.ts`);
  const parts = names.map((name) => [name, `export const n: number = 1; // ${"x".repeat(900)}`] as const);
  const imports = names.map((name) => `import "./${name}";`).join(" ");
  const root = writeFiles(folder, "attempts", {
    ...Object.fromEntries(parts),
    "all.js": `${imports} export default 1 as number;`,
    "more.js": `${imports} import "./more.ts"; export default 1;`,
    "more.ts": ["a", "b", "c", "d", "e"].map((name) => `import "./${name}.ts";`).join(" "),
    ...Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`${name}.ts`, "x".repeat(1_000)])),
  });
  expect(evaluate((await bundler.bundle({ file: join(root, "all.js") })).bundle)).toMatchObject({ default: 1 });
  expect((await failure(bundler.bundle({ file: join(root, "more.js") }))).message).toContain("larger than 16000 bytes");
});

test.each([
  ["parentheses", `x = ${"(".repeat(300_000)}`],
  ["unary operators", `x = ${"!".repeat(300_000)}1`],
  ["functions", "function f(){".repeat(30_000)],
])("a runaway nesting of %s is refused before esbuild sees it, with its place", async (_name, code) => {
  const error = await failure(shared.bundle({ code }));
  expect(error.code).toBe("bundle_failed");
  expect(error.message).toMatch(/component\.js:1:\d+: the code nests .* levels deep/);
  expect(error.message.length).toBeLessThan(1_000);
});

test("code that overflows esbuild fails alone: the next build works", async () => {
  // Where the memory of processes can be seen, esbuild's stack ends here; elsewhere, much later, by itself.
  const bundler = open({ memoryBytes: 160 * 1024 * 1024 });
  await bundler.bundle({ code: "export default 1" });
  const pill = `${"a=".repeat(200_000)}1`;
  const [bad, good] = await Promise.allSettled([
    bundler.bundle({ code: pill }),
    bundler.bundle({ code: "export default 2" }),
  ]);
  expect(bad).toMatchObject({ status: "rejected", reason: { code: "bundle_failed" } });
  expect(good).toMatchObject({ status: "fulfilled" });
});

test("a build that takes too long is stopped at its deadline", async () => {
  const bundler = open({ timeoutMs: 700 });
  const pill = `f = ${"a\n?x=>".repeat(20_000)}1${":0".repeat(20_000)}`;
  const error = await failure(bundler.bundle({ code: pill }));
  // On a starved machine its wall time is over before its processor time is.
  expect(error.message).toMatch(/took longer than (?:700|4200) ms/);
});

const seesProcesses = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

test.skipIf(!seesProcesses)("a build that needs too much memory is stopped", async () => {
  const bundler = open({ memoryBytes: 160 * 1024 * 1024 });
  await bundler.bundle({ code: "export default 1" });
  const error = await failure(bundler.bundle({ code: `x = ${"a?b:".repeat(100_000)}1` }));
  expect(error.message).toContain("more memory than 167772160 bytes");
});

/** Living processes of a group; who has ended may wait for the system to collect it. */
const groupMembers = (group: number): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [state, , memberOf] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
        return state !== "Z" && memberOf === String(group);
      } catch {
        return false;
      }
    });

const childrenOf = (processId: number): number[] =>
  readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8").split(" ").filter(Boolean).map(Number);

test.skipIf(!seesProcesses)(
  "closing ends the process and esbuild, rejects what waits, and a later build says closed",
  async () => {
    const before = childrenOf(process.pid);
    const bundler = open();
    await bundler.bundle({ code: "export default 1" });
    const [child] = childrenOf(process.pid).filter((id) => !before.includes(id));
    expect(groupMembers(Number(child)).length).toBeGreaterThanOrEqual(2);
    expect(readFileSync(`/proc/${child}/environ`, "utf8")).not.toMatch(/PATH=|HOME=/);
    const waiting = [1, 2].map((value) => failure(bundler.bundle({ code: `export default ${value}` })));
    await bundler.close();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(["closed", "closed"]);
    expect((await failure(bundler.bundle({ code: "export default 1" }))).code).toBe("closed");
    // All are ended at once, and each leaves when the system comes to it.
    await expect.poll(() => groupMembers(Number(child))).toEqual([]);
  },
);

test.skipIf(!seesProcesses)("an idle bundling process does not keep its host alive and ends with it", async () => {
  const url = new URL("./bundler.ts", import.meta.url).href;
  const program = `const { createBundler } = await import(${JSON.stringify(url)});
    const bundler = createBundler(${JSON.stringify(limits)});
    await bundler.bundle({ code: "export default 1" });
    const { readFileSync } = await import("node:fs");
    console.log(readFileSync("/proc/" + process.pid + "/task/" + process.pid + "/children", "utf8"));`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  host.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(host, "close")) as [number];
  expect(code).toBe(0);
  const child = Number(output.trim());
  expect(child).toBeGreaterThan(1);
  await expect.poll(() => groupMembers(child)).toEqual([]);
});

test("a failure is always an error of the runtime", async () => {
  await expect(shared.bundle({ code: "}" })).rejects.toSatisfy((error) => XError.is(error));
});
