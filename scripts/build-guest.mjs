import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { buildBuiltins } from "./build-builtins.mjs";
import { buildPackage } from "./build-packages.mjs";
import { Bundles } from "./bundles.mjs";
import { externalOf } from "./external-packages.mjs";

const pathOf = (name) => fileURLToPath(new URL(`../packages/runtime/${name}`, import.meta.url));

/** Replaces a file atomically: a sandbox that starts meanwhile reads the old content or the new one. */
async function replace(file, content) {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, file);
}

async function writeChanged(file, text) {
  await mkdir(dirname(file), { recursive: true });
  if ((await readFile(file, "utf8").catch(() => undefined)) !== text) await replace(file, text);
}

/** Bundles the guest's code to one expression: `(dispatch) => enter`. */
async function buildPrelude(bundles) {
  const { outputFiles } = await bundles.make({
    entryPoints: [pathOf("src/guest/main.ts")],
    format: "iife",
    globalName: "guest",
    target: "es2022",
    minify: true,
    charset: "utf8",
    footer: { js: "return guest.enter(dispatch)})" },
    banner: { js: "(function(dispatch){" },
  });
  await writeChanged(pathOf("dist/guest-prelude.js"), outputFiles[0].text);
}

/** Code that is evaluated at its first use in a realm: each file is a function of the prelude's kit. */
async function buildParts(bundles) {
  const folder = pathOf("src/guest/parts/");
  const names = ["buffer", "compression", "forms", "intl", "proposals", "rare", "streams", "subtle", "url-pattern"];
  const { outputFiles } = await bundles.make({
    entryPoints: Object.fromEntries(names.map((name) => [name, `${folder}${name}.ts`])),
    outdir: "parts",
    format: "iife",
    globalName: "part",
    target: "es2022",
    minify: true,
    charset: "utf8",
    footer: { js: "return part.default(kit)})" },
    banner: { js: "(function(kit){" },
  });
  const parts = outputFiles.map(({ path, text }) => [basename(path, ".js"), text]);
  await writeChanged(pathOf("dist/guest-parts.json"), JSON.stringify(Object.fromEntries(parts)));
}

/** Entries of threads and processes, each bundled to one file: threads start often, and load one file in half the time. */
async function buildThreads(bundles) {
  const { outputFiles } = await bundles.make({
    entryPoints: {
      sandbox: pathOf("src/sandbox/thread/worker.ts"),
      "store-writer": pathOf("src/store/sqlite/writer.ts"),
      "store-checkpoints": pathOf("src/store/sqlite/checkpoint-thread.ts"),
      bundler: pathOf("src/components/bundle/bundle-process.ts"),
    },
    outdir: pathOf("dist/threads"),
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node22",
    external: await externalOf("runtime"),
    legalComments: "none",
  });
  for (const { path, text } of outputFiles) await writeChanged(path, text);
}

/**
 * The process that installs npm packages, with npm's libraries inside: they are most of what a user would install
 * with the runtime, and only components that import packages need them.
 */
async function buildInstaller(bundles) {
  const { outputFiles } = await bundles.make({
    entryPoints: { packages: pathOf("src/packages/npm/install-process.ts") },
    outdir: pathOf("dist/threads"),
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node22",
    minify: true,
    keepNames: true,
    // Optional, for texts in other character sets: a quarter of the file.
    external: ["iconv-lite"],
    legalComments: "none",
    // The libraries are CommonJS: they require built-ins, and name their folders.
    banner: {
      js: [
        'import{createRequire as requireOf}from"node:module";',
        "const require=requireOf(import.meta.url),__dirname=import.meta.dirname,__filename=import.meta.filename;",
      ].join(""),
    },
  });
  for (const { path, text } of outputFiles) await writeChanged(path, text);
}

/** The validator of schemas, which is loaded when it is needed; the published package is seven times as large. */
async function buildValidator(bundles) {
  const { outputFiles } = await bundles.make({
    stdin: { contents: 'module.exports = require("ajv");', resolveDir: pathOf("src") },
    outfile: pathOf("dist/threads/validator.cjs"),
    format: "cjs",
    platform: "node",
    target: "node22",
    minify: true,
    keepNames: true,
    legalComments: "none",
  });
  for (const { path, text } of outputFiles) await writeChanged(path, text);
}

/** Rewrites the engine. Without the file each start does this itself. */
async function buildEngine() {
  const { makeEngine } = await import("../packages/runtime/src/sandbox/machine/engine-files.ts");
  const file = pathOf("dist/engine.wasm");
  const engine = makeEngine();
  const before = await readFile(file).catch(() => undefined);
  if (!before?.equals(engine)) await replace(file, engine);
}

/** Evaluates the prelude once and stores the memory. Without the file each start does this itself. */
async function buildBaseImage() {
  const { findBaseImage, makeBaseImageFile } = await import("../packages/runtime/src/sandbox/machine/base-image.ts");
  const { readEngineFiles } = await import("../packages/runtime/src/sandbox/machine/engine-files.ts");
  const files = readEngineFiles();
  if (!findBaseImage(files)) await replace(pathOf("dist/base-image.bin"), await makeBaseImageFile(files));
}

/** Builds all of the runtime but its declarations. */
export default async function buildGuest() {
  const bundles = new Bundles();
  await Promise.all([
    buildPrelude(bundles),
    buildParts(bundles),
    buildBuiltins(bundles, writeChanged),
    buildThreads(bundles),
    buildInstaller(bundles),
    buildValidator(bundles),
    buildPackage("runtime", bundles),
  ]);
  await writeChanged(pathOf("dist/THIRD-PARTY-LICENSES.txt"), await bundles.licenses());
  await buildEngine();
  await buildBaseImage();
}
