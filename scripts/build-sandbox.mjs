import { basename } from "node:path";
import { fileURLToPath } from "node:url";

import { buildBuiltins } from "./build-builtins.mjs";
import { buildPackage } from "./build-packages.mjs";
import { bundlePrelude } from "./build-prelude.mjs";
import { buildThreads } from "./build-threads.mjs";
import { Bundles } from "./bundles.mjs";
import { replace, writeChanged } from "./changed-files.mjs";

const pathOf = (name) => fileURLToPath(new URL(`../packages/sandbox/${name}`, import.meta.url));

/** The guest's code: a list of functions, to be called in this order. */
async function buildPrelude(bundles) {
  const functions = await bundlePrelude(bundles, pathOf("src/guest/"));
  await writeChanged(pathOf("dist/guest-prelude.json"), JSON.stringify(functions));
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

/** Rewrites the engine. Without the file each start does this itself. */
async function buildEngine() {
  const { makeEngine } = await import("../packages/sandbox/src/machine/published-engine.ts");
  await writeChanged(pathOf("dist/engine.wasm"), makeEngine());
}

/** Evaluates the prelude once and stores the memory. Without the file each start does this itself. */
async function buildBaseImage() {
  const { findBaseImage } = await import("../packages/sandbox/src/machine/base-image.ts");
  const { makeBaseImageFile } = await import("../packages/sandbox/src/machine/boot-base-image.ts");
  const { readEngineFiles } = await import("../packages/sandbox/src/machine/engine-files.ts");
  const files = readEngineFiles();
  if (!findBaseImage(files)) await replace(pathOf("dist/base-image.bin"), await makeBaseImageFile(files));
}

/** Builds the package, and what it reads: its thread, the guest's code, the engine and its first image. Returns the bundles. */
export async function buildSandbox() {
  const bundles = new Bundles();
  await Promise.all([
    buildPrelude(bundles),
    buildParts(bundles),
    buildBuiltins(bundles, writeChanged),
    buildThreads("sandbox", bundles),
    buildPackage("sandbox", bundles),
  ]);
  await writeChanged(pathOf("dist/THIRD-PARTY-LICENSES.txt"), await bundles.licenses());
  await buildEngine();
  await buildBaseImage();
  return bundles;
}
