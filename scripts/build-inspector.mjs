import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "packages/inspector/");
const page = join(folder, "src/page");
const dist = join(folder, "dist");

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const digest = (content) => createHash("sha256").update(content).digest("base64url");

/** A hash of everything that the output is made from. */
async function hashInputs() {
  const entries = await readdir(page, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const hash = createHash("sha256");
  for (const path of [...paths, join(folder, "package.json"), fileURLToPath(import.meta.url)])
    hash.update(`${path.slice(root.length)}\n${digest(await readFile(path))}\n`);
  return hash.digest("base64url");
}

/** Bundles the page; in memory. */
async function bundle() {
  const { build } = await import("vite");
  const { output } = await build({
    configFile: false,
    root: page,
    // Chunks find each other relative to themselves, wherever the service is mounted.
    base: "./",
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      write: false,
      target: "es2023",
      assetsDir: "inspector",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
  return output;
}

async function writeWhole(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Builds the static files of the inspector, unless they are up to date. Also a global setup of the tests. */
export default async function buildInspector() {
  const inputs = await hashInputs();
  const list = join(dist, "files.json");
  const known = await readFile(list, "utf8").then(JSON.parse, () => undefined);
  if (known?.inputs === inputs) return;
  const output = await bundle();
  const files = output.map((part) => {
    const content = Buffer.from(part.type === "chunk" ? part.code : part.source);
    const path = part.fileName;
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`The inspector has a file of an unknown type: ${path}`);
    return { content, path, type, bytes: content.length, hash: digest(content), immutable: path !== "index.html" };
  });
  for (const { path, content } of files) await writeWhole(join(dist, "static", path), content);
  const modules = output.flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
  const inputsOf = modules.map((id) => [id.replace(/^\0/, "").replace(/\?.*$/, ""), { bytesInOutput: 1 }]);
  const metafile = { outputs: { page: { inputs: Object.fromEntries(inputsOf) } } };
  await writeWhole(join(dist, "THIRD-PARTY-LICENSES.txt"), await thirdPartyLicenses([{ metafile, from: root }]));
  const shown = files
    .map(({ path, type, bytes, hash, immutable }) => ({ path, type, bytes, hash, immutable }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  await writeWhole(list, `${JSON.stringify({ inputs, files: shown }, null, 2)}\n`);
  const wanted = new Set(files.map(({ path }) => join(dist, "static", path)));
  for (const entry of await readdir(join(dist, "static"), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !wanted.has(join(entry.parentPath, entry.name)))
      await rm(join(entry.parentPath, entry.name), { force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildInspector();
