import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openTrial, type Trial } from "../../../../runtime/src/runtime.cases.ts";
import { startTestRegistry, type TestRegistry } from "../registry.cases.ts";

const folder = mkdtempSync(join(tmpdir(), "hostile-packages-"));
const secret = "nobody-may-read-this";
const canary = join(folder, "canary.json");
/** From the main folder of a package in the cache: `cache/trees/<key>/node_modules/<name>`. */
const upwards = "../../../../../";
let registry: TestRegistry;
/** It must receive no request. */
let elsewhere: TestRegistry;
let trial: Trial;

beforeAll(async () => {
  writeFileSync(canary, JSON.stringify({ secret }));
  [registry, elsewhere] = await Promise.all([startTestRegistry(), startTestRegistry()]);
  trial = await openTrial({ packages: { registry: registry.url, cache: join(folder, "cache") } });
});
afterAll(async () => {
  await trial.runtime.close();
  await Promise.all([registry.close(), elsewhere.close()]);
  rmSync(folder, { recursive: true });
});

const component = (imports: string, value: string): string =>
  `${imports}\nexport default { name: "Feed", version: "1", props: {}, run() { this.$emit(${value}); } };`;

/** The payload that the component emits, or the error. */
async function outcome(code: string): Promise<string> {
  try {
    const { source } = await trial.deploy(code);
    const { error } = await trial.runtime.invoke(source.id);
    return JSON.stringify([error, await trial.payloads(source.id)]);
  } catch (error) {
    return String(error);
  }
}

test("links and entries that lead out of an archive are not unpacked", async () => {
  registry.publish(
    "escaping",
    "1.0.0",
    `module.exports = ["link.json", "hard.json"].map((name) => { try { return require("./" + name) } catch { return "none" } });`,
    {},
    [
      { path: `package/${upwards}out.js`, text: "1" },
      { path: `${upwards}${upwards}out.js`, text: "1" },
      { path: join(folder, "absolute.js"), text: "1" },
      { path: "package/link.json", type: "2", link: canary },
      { path: "package/hard.json", type: "1", link: canary },
      { path: "package/folder", type: "2", link: folder },
      { path: "package/folder/through.js", text: "1" },
    ],
  );
  expect(
    await outcome(
      component(
        `import it from "escaping"; import link from "escaping/link.json"; import hard from "escaping/hard.json";`,
        "[it, link, hard]",
      ),
    ),
  ).not.toContain(secret);
  expect(
    ["out.js", "absolute.js", "through.js", "cache/out.js"].filter((name) => existsSync(join(folder, name))),
  ).toEqual([]);
});

test.each<[what: string, manifest: object, files: Record<string, string>]>([
  ["main", { main: `${upwards}canary.json` }, {}],
  ["an absolute main", { main: canary }, {}],
  ["exports", { exports: { ".": `./${upwards}canary.json` } }, {}],
  ["exports with a pattern", { exports: { ".": `./x/../${upwards}canary.json`, "./*": "./*" } }, {}],
  ["module", { module: `${upwards}canary.json` }, {}],
  [
    "a browser map",
    { browser: { "./index.js": `${upwards}canary.json`, inner: canary } },
    { "index.js": `module.exports = require("inner");` },
  ],
  ["a require", {}, { "index.js": `module.exports = require("${upwards}canary.json");` }],
  ["an absolute require", {}, { "index.js": `module.exports = require(${JSON.stringify(canary)});` }],
  ["a URL", {}, { "index.js": `module.exports = require("file://${canary}");` }],
  [
    "a computed require",
    {},
    { "index.js": `const at = ${JSON.stringify(canary)}; module.exports = require(at + "");` },
  ],
  ["an import of the host's module", {}, { "index.js": `module.exports = require("x:host");` }],
])("a package whose %s leads out of it reads nothing there", async (what, manifest, files) => {
  const name = `leading-${what.replace(/\W+/g, "-").toLowerCase()}`;
  registry.publish(name, "1.0.0", files, manifest);
  const seen = await outcome(component(`import * as it from "${name}";`, "[it, it.default]"));
  expect(seen).not.toContain(secret);
  expect(seen).not.toContain("askCrypto");
});

test.each(["dependencies", "optionalDependencies", "peerDependencies"])(
  "%s that are addresses, repositories or folders are refused before anything is asked",
  async (field) => {
    elsewhere.publish("evil", "1.0.0", `module.exports = 1;`);
    const specs = [
      `${elsewhere.url}evil/-/evil-1.0.0.tgz`,
      `git+${elsewhere.url}evil.git`,
      `file:${folder}`,
      `npm:evil@${elsewhere.url}evil.tgz`,
    ];
    for (const [index, spec] of specs.entries()) {
      const name = `asking-${field.toLowerCase()}-${index}`;
      registry.publish(name, "1.0.0", `module.exports = 1;`, { [field]: { evil: spec } });
      await trial.deploy(component(`import it from "${name}";`, "it")).catch(() => undefined);
    }
    expect(elsewhere.requests).toEqual([]);
  },
);

test("a package that is named as a member of every object is refused, as npm cannot install it", async () => {
  registry.publish("constructor", "1.0.0", `module.exports = "a package";`);
  expect(await outcome(component(`import it from "constructor";`, "it"))).toContain(
    "npm cannot install a package of that name",
  );
});

test.each<[what: string, manifest: object, expected: string]>([
  ["named constructor", { dependencies: { constructor: "1.0.0" } }, "npm cannot install a package of that name"],
  ["named __proto__", { dependencies: { ["__proto__"]: "1.0.0" } }, "npm cannot install a package of that name"],
  ["named toString, if it can be had", { optionalDependencies: { toString: "1.0.0" } }, "npm cannot install a package"],
  ["named valueOf, beside it", { peerDependencies: { valueOf: "*" } }, "npm cannot install a package of that name"],
  ["without a range", { dependencies: { plain: 7 } }, "its requested version is not a version, range or tag"],
])(
  "a package that a package of a package needs, %s, is refused with its importers",
  async (what, manifest, expected) => {
    const name = what.replace(/\W/g, "-").toLowerCase();
    registry.publish(`needing-${name}`, "1.0.0", `module.exports = 1;`, manifest);
    registry.publish(`above-${name}`, "1.0.0", `module.exports = 1;`, {
      dependencies: { [`needing-${name}`]: "^1.0.0" },
    });
    const error = await trial
      .deploy(component(`import it from "above-${name}";`, "it"))
      .catch((thrown: unknown) => thrown);
    const needed = Object.keys(Object.values(manifest)[0] as object);
    expect(error).toMatchObject({
      code: "package_refused",
      details: { chain: ["component.js", `above-${name}`, `needing-${name}`, ...needed] },
    });
    expect(String(error)).toContain(expected);
  },
);

const listed = (field: string, got: string): string =>
  `"${field}" in its manifest must be a text or a list of texts, got ${got}`;

test.each<[what: string, manifest: object, expected: string]>([
  [
    "accepts no text",
    { dependencies: { plain: "1.0.0" }, acceptDependencies: { plain: 5 } },
    `"acceptDependencies" in its manifest must give "plain" a range as text, got a number`,
  ],
  ["is for no system", { os: true }, listed("os", "a boolean")],
  ["is for a list of no processors", { cpu: [null] }, listed("cpu", "a list")],
  ["needs a library that is an object", { libc: { musl: true } }, listed("libc", "an object")],
  ["has programs without names", { bin: [5] }, "npm cannot read its manifest (The "],
  ["has no archive", { dist: null }, `"dist.tarball" in its manifest must be the address of its archive, got nothing`],
])("a package that %s is refused with what npm expects, and its importers", async (what, manifest, expected) => {
  const name = what.replaceAll(" ", "-");
  registry.publish("plain", "1.0.0", `module.exports = 1;`);
  registry.publish(name, "1.0.0", `module.exports = 1;`, manifest);
  registry.publish(`above-${name}`, "1.0.0", `module.exports = 1;`, { dependencies: { [name]: "^1.0.0" } });
  const chains = [];
  for (const asked of [name, `above-${name}`]) {
    const error = await trial.deploy(component(`import it from "${asked}";`, "it")).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "package_refused" });
    expect(String(error)).toContain(expected);
    chains.push((error as { details: { chain: string[] } }).details.chain);
  }
  expect(chains).toEqual([
    ["component.js", name],
    ["component.js", `above-${name}`, `${name}@^1.0.0`],
  ]);
});

test.each<[what: string, versions: object, specifier: string, expected: string]>([
  ["no versions", {}, "@^1.0.0", "cannot be resolved: the registry has no version of it"],
  ["a version that is a number", { "1.0.0": 5 }, "", "is refused: npm cannot read its manifest ("],
  [
    "a version without a number",
    { "1.0.0": { name: "odd" } },
    "",
    `"version" in its manifest must be a text, got nothing`,
  ],
])("a package of which the registry lists %s is refused as one", async (what, versions, specifier, expected) => {
  const name = what.replaceAll(" ", "-");
  const listing = JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions });
  registry.intercept(({ url = "" }, response) => {
    if (!url.startsWith(`/${name}`)) return false;
    response.writeHead(200, { "content-type": "application/json" }).end(listing);
    return true;
  });
  expect(await outcome(component(`import it from "${name}${specifier}";`, "it"))).toContain(expected);
});

test("changes of a package to built-ins affect only the runs of its component", async () => {
  registry.publish(
    "polluting",
    "1.0.0",
    `Object.prototype.polluted = 1; Array.prototype.map = JSON.stringify = null; module.exports = 1;`,
  );
  await outcome(component(`import it from "polluting";`, "it"));
  expect(await outcome(component("", `[({}).polluted ?? "clean", [1].map((x) => x + 1)]`))).toBe(
    `[null,[["clean",[2]]]]`,
  );
});

test("the draft of a killed installation is removed, the one of another running process is not", async () => {
  const cache = join(folder, "left-cache");
  for (const [name, time] of [
    ["left", 0],
    ["begun", Date.now() / 1000],
  ] as const) {
    mkdirSync(join(cache, "staging", name), { recursive: true });
    writeFileSync(join(cache, "staging", name, "file.js"), "1");
    utimesSync(join(cache, "staging", name), time, time);
  }
  registry.publish("installed-after", "1.0.0", `module.exports = 1;`);
  const other = await openTrial({ packages: { registry: registry.url, cache } });
  await other.deploy(component(`import it from "installed-after";`, "it"));
  await other.runtime.close();
  expect(readdirSync(join(cache, "staging"))).toEqual(["begun"]);
});

test("scripts of a package never run", async () => {
  const trace = join(folder, "trace");
  registry.publish("scripted", "1.0.0", `module.exports = 1;`, {
    scripts: Object.fromEntries(
      ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, `touch ${trace}`]),
    ),
  });
  expect(await outcome(component(`import it from "scripted";`, "it"))).toBe("[null,[1]]");
  expect(existsSync(trace)).toBe(false);
});
