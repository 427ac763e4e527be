import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

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

/** The end of the name of a compressed file, by its content coding; the ones that are tried first come first. */
const codings = { br: ".br", gzip: ".gz" };

/** The content in each coding that makes it smaller. */
async function compress(content) {
  const text = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: text }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  return Object.entries({ br, gzip: gz }).filter(([, made]) => made.length < content.length);
}

/** A hash of everything that the output is made from. */
async function hashInputs() {
  const folders = [page, join(root, "packages/client/src")];
  const entries = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })));
  const files = entries.flat().filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const hash = createHash("sha256");
  for (const path of [...paths, join(folder, "package.json"), fileURLToPath(import.meta.url)])
    hash.update(`${path.slice(root.length)}\n${digest(await readFile(path))}\n`);
  return hash.digest("base64url");
}

/** Bundles the page; in memory. */
async function bundle() {
  const { build, defaultClientConditions } = await import("vite");
  const { output } = await build({
    configFile: false,
    root: page,
    // Chunks find each other relative to themselves, wherever the service is mounted.
    base: "./",
    resolve: { conditions: ["@x/source", ...defaultClientConditions] },
    logLevel: "warn",
    // The same files also where tests build them, with another NODE_ENV.
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    build: {
      write: false,
      target: "es2023",
      assetsDir: "inspector",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        // What more than one page imports is one file: many small ones compress worse, and each page would name all of them.
        output: { codeSplitting: { groups: [{ name: "common", test: /\/inspector\/src\/page\//, minShareCount: 2 }] } },
      },
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

/** Builds the static files of the inspector, unless they are up to date. */
export default async function buildInspector() {
  const inputs = await hashInputs();
  const list = join(dist, "files.json");
  const known = await readFile(list, "utf8").then(JSON.parse, () => undefined);
  if (known?.inputs === inputs) return;
  const output = await bundle();
  const bundled = output.map((part) => {
    const content = Buffer.from(part.type === "chunk" ? part.code : part.source);
    const path = part.fileName;
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`The inspector has a file of an unknown type: ${path}`);
    return { content, path, type, bytes: content.length, hash: digest(content), immutable: path !== "index.html" };
  });
  const files = await Promise.all(
    // The page names the path at which it is mounted, so it is written anew when it is served.
    bundled.map(async (file) => ({ ...file, compressed: file.immutable ? await compress(file.content) : [] })),
  );
  const wanted = new Set();
  for (const { path, content, compressed } of files) {
    const own = [["", content], ...compressed.map(([coding, made]) => [codings[coding], made])];
    for (const [ending, made] of own) {
      const place = join(dist, "static", path + ending);
      await writeWhole(place, made);
      wanted.add(place);
    }
  }
  const modules = output.flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
  const inputsOf = modules.map((id) => [id.replace(/^\0/, "").replace(/\?.*$/, ""), { bytesInOutput: 1 }]);
  const metafile = { outputs: { page: { inputs: Object.fromEntries(inputsOf) } } };
  await writeWhole(join(dist, "THIRD-PARTY-LICENSES.txt"), await thirdPartyLicenses([{ metafile, from: root }]));
  const shown = files
    .map(({ path, type, bytes, hash, immutable, compressed }) => ({
      path,
      type,
      bytes,
      hash,
      immutable,
      codings: compressed.map(([coding]) => coding),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  await writeWhole(list, `${JSON.stringify({ inputs, files: shown }, null, 2)}\n`);
  for (const entry of await readdir(join(dist, "static"), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !wanted.has(join(entry.parentPath, entry.name)))
      await rm(join(entry.parentPath, entry.name), { force: true });
}
