import { fileURLToPath } from "node:url";

import { buildThreads } from "./build-threads.mjs";
import { copyChanged, writeChanged } from "./changed-files.mjs";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const pathOf = (name) => `${packages}components/${name}`;

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

/** Builds the processes that bundle and install, and the validator. */
export async function buildComponents(bundles) {
  await Promise.all([buildThreads("components", bundles), buildInstaller(bundles), buildValidator(bundles)]);
}

/** Copies what tells which built-ins components have, once the sandbox is built. */
export const copyBuiltins = () =>
  copyChanged(`${packages}sandbox/dist/builtins`, pathOf("dist/builtins"), { prune: true });
