import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Bundles } from "./bundles.mjs";
import { writeChanged } from "./changed-files.mjs";
import { externalOf } from "./external-packages.mjs";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** Entries by output name. In a subfolder where sources expect `dist` two folders up. */
const entries = {
  types: { index: "index.ts" },
  client: { index: "index.ts" },
  sandbox: { "bundled/index": "code-sandbox.ts" },
  runtime: {
    "bundled/index": "index.ts",
    "bundled/errors": "errors.ts",
    "bundled/prestart": "prestart.ts",
    "bundled/store": "store.ts",
  },
  postgres: { index: "index.ts" },
  inspector: { index: "index.ts" },
  server: { index: "index.ts" },
  testing: { index: "index.ts", "vitest-entry": "vitest.ts", instrument: "instrument.ts" },
  cli: { index: "index.ts", main: "main.ts" },
  create: { main: "main.ts" },
};

/**
 * Modules before entries: Node caches the compiled code of modules imported after the cache is enabled. Each test file has
 * its own process, which otherwise spends half of its import time compiling. An old Node has no such cache.
 */
const fronts = { testing: { vitest: "vitest-entry" } };

/** Files for browsers, by their path relative to the bundle. */
const browserFiles = { server: { "reference.js": "docs/reference.js" } };

const frontOf = (entry, names) => `import nodeModule from "node:module";

nodeModule.enableCompileCache?.();
const { ${names.join(", ")} } = await import("./${entry}.js");
export { ${names.join(", ")} };
`;

/** Of `quickjs-emscripten` one build of the engine is used. Where code is split, esbuild would keep the others. */
const oneEngine = {
  name: "one-engine",
  setup({ onResolve, onLoad }) {
    const namespace = "unused-engine";
    const filter = /^(?:quickjs-emscripten-core|@jitl\/quickjs-wasmfile-(?:debug-.*|release-asyncify))$/;
    onResolve({ filter }, ({ path }) => ({ path, namespace, sideEffects: false }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents: "module.exports = {}" }));
  },
};

/** Outputs of other builds: of `build-runtime.mjs` and `build-inspector.mjs`, and of the compiler, which writes the declarations. */
const foreign = /^(?:threads|builtins|static)\/|(?<!\.js|\.js\.map)$/;

/** Bundles a package into as few files as possible: one file loads in a third of the time of two hundred. */
export async function buildPackage(name, bundles) {
  const outputs = entries[name];
  const dist = join(packages, name, "dist");
  const { outputFiles, metafile } = await bundles.make({
    entryPoints: Object.fromEntries(
      Object.entries(outputs).map(([output, source]) => [output, join(packages, name, "src", source)]),
    ),
    // Code that entries share is loaded once.
    splitting: Object.keys(outputs).length > 1,
    // Beside the entries: code finds other files from where it lies.
    chunkNames: Object.keys(outputs).every((output) => output.startsWith("bundled/"))
      ? "bundled/chunk-[hash]"
      : "chunk-[hash]",
    outdir: dist,
    // No source maps: the bundles are readable, and maps were a third of what is published.
    format: "esm",
    platform: "node",
    target: "node22",
    external: await externalOf(name),
    plugins: [oneEngine],
    legalComments: "none",
  });
  const exportsOf = (entry) =>
    Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${entry}.js`))[1].exports;
  for (const [front, entry] of Object.entries(fronts[name] ?? {}))
    outputFiles.push({ path: join(dist, `${front}.js`), text: frontOf(entry, exportsOf(entry)) });
  for (const [output, source] of Object.entries(browserFiles[name] ?? {})) {
    const text = await readFile(join(packages, name, "src", source), "utf8");
    outputFiles.push({ path: join(dist, output), text });
  }
  await Promise.all(outputFiles.map(({ path, text }) => writeChanged(path, text)));
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const file of await readdir(dist, { recursive: true })) {
    if (!foreign.test(file) && !made.has(join(dist, file))) await rm(join(dist, file), { force: true });
  }
}

/** Builds all packages but those of `build-runtime.mjs`. */
export default async function buildPackages() {
  const bundles = new Bundles();
  const names = Object.keys(entries).filter((name) => name !== "runtime" && name !== "sandbox");
  await Promise.all(names.map((name) => buildPackage(name, bundles)));
  if (bundles.packages.length > 0) throw new Error(`No licences are published with ${bundles.packages.join(", ")}`);
}
