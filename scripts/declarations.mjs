import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { writeChanged } from "./changed-files.mjs";

// Writes the declarations that packages with others inside are published with into their `dist/types`: those that their
// entries need, also of the packages inside, which users do not install.
const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const entries = { sandbox: ["code-sandbox"], runtime: ["index", "errors", "prestart", "store"], server: ["index"] };

const specifiers = /(\bfrom |\bimport\()"([^"]+)"/g;
/** What names another file's exports: its beginning, the names, the specifier. */
const statements = /^((?:import|export)(?: type)?) \{([^}]*)\} from "([^"]+)";$/gm;
const nameOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];
const namesIn = (list) => Array.from(list.matchAll(/(type )?(\w+)(?: as (\w+))?/g));

/** The path of a declaration that another one names. */
const declarationOf = (file, specifier) => resolve(dirname(file), specifier.replace(/(?<!\.d)\.ts$/, ".d.ts"));

/** The names of a door, each with the file behind it and its name there. */
async function readDoor(file) {
  const behind = new Map();
  for (const [, , list, specifier] of (await readFile(file, "utf8")).matchAll(statements))
    for (const [, , name, alias = name] of namesIn(list))
      behind.set(alias, { file: declarationOf(file, specifier), name });
  return { file, behind };
}

/** The doors of packages that are built in, by specifier. */
const doors = new Map();
for (const name of ["model", "sandbox", "store", "components", "accounts", "http", "resources"]) {
  const { exports } = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  for (const [door, { types }] of Object.entries(exports))
    doors.set(join(`@x/${name}`, door), await readDoor(join(packages, name, types)));
}

/** Imports the names of a door from the files behind it: the others need not be published. */
function behindDoor(whole, start, list, specifier) {
  const byFile = new Map();
  for (const [, type = "", imported, alias = imported] of namesIn(list)) {
    const found = doors.get(specifier)?.behind.get(imported);
    if (found === undefined) return whole;
    const name = `${type}${found.name}${found.name === alias ? "" : ` as ${alias}`}`;
    byFile.set(found.file, [...(byFile.get(found.file) ?? []), name]);
  }
  return [...byFile].map(([file, names]) => `${start} { ${names.join(", ")} } from "${file}";`).join("\n");
}

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
    const given = (await readFile(file, "utf8")).replace(statements, behindDoor);
    const text = given.replace(specifiers, (whole, before, specifier) => {
      const isFile = specifier.startsWith(".") || isAbsolute(specifier);
      if (specifier.startsWith("node:") || (!isFile && installed.has(nameOf(specifier)))) return whole;
      const imported = isFile ? declarationOf(file, specifier) : doors.get(specifier)?.file;
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
