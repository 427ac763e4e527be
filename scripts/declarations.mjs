import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { writeChanged } from "./changed-files.mjs";

// Writes the declarations that packages with others inside are published with into their `dist/types`: those that their
// entries need, also of the packages inside, which users do not install.
const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const entries = { sandbox: ["code-sandbox"], runtime: ["index", "errors", "store"] };

/** The doors of packages that are built in, by specifier. */
const doors = new Map();
for (const name of ["model", "sandbox", "store", "components"]) {
  const { exports } = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  for (const [door, { types }] of Object.entries(exports))
    doors.set(join(`@x/${name}`, door), join(packages, name, types));
}

const specifiers = /(\bfrom |\bimport\()"([^"]+)"/g;
const nameOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];

async function writeDeclarations(name) {
  const target = join(packages, name, "dist/types/");
  const manifest = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  const installed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
  const placeOf = (file) => join(target, relative(packages, file).replace("/dist/", "/"));
  const written = new Set();

  async function write(file) {
    const place = placeOf(file);
    if (written.has(place)) return;
    written.add(place);
    const found = [];
    const text = (await readFile(file, "utf8")).replace(specifiers, (whole, before, specifier) => {
      if (specifier.startsWith("node:") || installed.has(nameOf(specifier))) return whole;
      const isRelative = specifier.startsWith(".");
      const imported = isRelative ? join(dirname(file), specifier.replace(/\.ts$/, ".d.ts")) : doors.get(specifier);
      if (imported === undefined) throw new Error(`${file} names ${specifier}, which users do not install`);
      found.push(imported);
      const path = relative(dirname(place), placeOf(imported)).replace(/\.d\.ts$/, ".ts");
      return `${before}"${path.startsWith(".") ? path : `./${path}`}"`;
    });
    await writeChanged(place, text);
    for (const each of found) await write(each);
  }

  for (const entry of entries[name]) await write(join(packages, name, `dist/${entry}.d.ts`));
  for (const file of await readdir(target, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !written.has(path)) await rm(path);
  }
}

for (const name of Object.keys(entries)) await writeDeclarations(name);
