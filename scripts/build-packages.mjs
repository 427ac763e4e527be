import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** Entries by the names of their outputs. A folder down in the runtime: its sources find `dist` two folders up. */
const entries = {
  runtime: { "bundled/index": "index.ts", "bundled/errors": "model/error-catalogue/catalogue.ts" },
  server: { index: "index.ts" },
  testing: { index: "index.ts", "vitest-entry": "vitest.ts", instrument: "instrument.ts" },
  cli: { index: "index.ts", main: "main.ts" },
};

/**
 * Modules in front of entries: Node keeps the compiled code of what is imported after it was asked to. Each test file has
 * a process of its own, which spends half of the time of its imports compiling.
 */
const fronts = { testing: { vitest: "vitest-entry" } };

/** Files that browsers run, by their path beside the bundle. */
const browserFiles = { server: { "reference.js": "docs/reference.js" } };

const frontOf = (entry, names) => `import nodeModule from "node:module";

nodeModule.enableCompileCache();
const { ${names.join(", ")} } = await import("./${entry}.js");
export { ${names.join(", ")} };
`;

/** What other builds make: `build-guest.mjs`, and the compiler, which writes the declarations. */
const foreign = /^(?:threads|builtins)\/|^guest-prelude\.js$|(?<!\.js|\.js\.map)$/;

async function replaceChanged(file, text) {
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
}

/** Each package as few files as its entries allow: a process reads one in a third of the time that two hundred take. */
async function buildPackage([name, outputs]) {
  const dist = join(packages, name, "dist");
  const { outputFiles, metafile } = await build({
    metafile: true,
    entryPoints: Object.fromEntries(
      Object.entries(outputs).map(([output, source]) => [output, join(packages, name, "src", source)]),
    ),
    bundle: true,
    // What a command or two entries share is loaded once.
    splitting: Object.keys(outputs).length > 1,
    chunkNames: "chunk-[hash]",
    write: false,
    outdir: dist,
    sourcemap: "linked",
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
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
  await Promise.all(outputFiles.map(({ path, text }) => replaceChanged(path, text)));
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const file of await readdir(dist, { recursive: true })) {
    if (!foreign.test(file) && !made.has(join(dist, file))) await rm(join(dist, file), { force: true });
  }
}

/** Also a global set-up of the tests: processes that they start run what is published. */
export default async function buildPackages() {
  await Promise.all(Object.entries(entries).map(buildPackage));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackages();
