import { join, posix, relative, sep } from "node:path";

import { type Disk, unlessMissing } from "./disk.ts";
import { isRange } from "../../packages/version-range.ts";

/** What a package.json beside a component says of a package. */
export interface Declared extends DeclaredVersion {
  /** As it stands there. */
  readonly range: string;
  /** Name of the package.json, relative to the root. */
  readonly manifest: string;
}

/** The package.json files of a component's folders, up to its root (S38). */
export interface Manifests {
  /** What the nearest one asks of a package that a file imports; undefined when it does not name the package. */
  declared(importer: string, packageName: string): Declared | { readonly problem: string } | undefined;
  /** Names of all that were looked for; not all of them are there. */
  readonly looked: ReadonlySet<string>;
}

type Manifest = { readonly fields: { readonly [field: string]: unknown } } | { readonly problem: string };

const file = "package.json";
/** The first that names a package counts: what is installed with the component goes before what is for its development. */
const dependencyFields = ["optionalDependencies", "dependencies", "devDependencies", "peerDependencies"];

const isMap = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Without a name and dependencies it only says how the files beside it are read. */
const isOfPackage = (fields: { readonly [field: string]: unknown }): boolean =>
  ["name", ...dependencyFields].some((field) => Object.hasOwn(fields, field));

export function createManifests(disk: Disk, root: string, mostBytes: number): Manifests {
  const looked = new Set<string>();
  const known = new Map<string, Manifest | undefined>();

  function read(name: string): Manifest | undefined {
    const path = join(root, name);
    const state = unlessMissing(() => disk.stat(path));
    if (!state?.isFile()) return undefined;
    const way = relative(root, disk.realpath(path));
    if (way === ".." || way.startsWith(`..${sep}`)) return { problem: "it leads out of the component's root folder" };
    if (state.size > mostBytes) return { problem: `it must be at most ${mostBytes} bytes, got ${state.size}` };
    try {
      const fields: unknown = JSON.parse(disk.read(path).replace(/^\uFEFF/, ""));
      return isMap(fields) ? { fields } : { problem: "it must be an object" };
    } catch (error) {
      return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
    }
  }

  function at(folder: string): { readonly name: string; readonly manifest: Manifest } | undefined {
    const name = posix.join(folder, file);
    if (!known.has(name)) known.set(name, read(name));
    looked.add(name);
    const manifest = known.get(name);
    if (manifest && ("problem" in manifest || isOfPackage(manifest.fields))) return { name, manifest };
    return folder === "." ? undefined : at(posix.dirname(folder));
  }

  return {
    looked,
    declared(importer, packageName) {
      const found = at(posix.dirname(importer));
      if (!found) return undefined;
      const { name, manifest } = found;
      if ("problem" in manifest) return { problem: `"${name}" cannot be used: ${manifest.problem}` };
      for (const field of dependencyFields) {
        const map = manifest.fields[field];
        if (!isMap(map) || !Object.hasOwn(map, packageName)) continue;
        const range = map[packageName];
        if (typeof range !== "string")
          return { problem: `"${name}" cannot be used: ${field}.${packageName} must be a string` };
        return { range, manifest: name, ...readDeclaredVersion(range) };
      }
      return undefined;
    },
  };
}

/** What a package.json asks of a package. */
export interface DeclaredVersion {
  /** Version, range or tag for a registry, with `npm:name@` where the package has another name there; absent: no registry has it. */
  readonly spec?: string;
  /** An installed package serves whatever its version is. */
  readonly takesInstalled: boolean;
}

const alias = /^npm:((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@(.+))?$/i;
const tag = /^[a-z_][\w.-]*$/i;

/** As npm reads it, but for `workspace:`, which stands for what would be published. */
function readDeclaredVersion(written: string): DeclaredVersion {
  const text = written.trim();
  if (text.startsWith("workspace:")) return { ...ofWorkspace(text.slice("workspace:".length)), takesInstalled: true };
  const [, name, wanted = "latest"] = alias.exec(text) ?? [];
  if (name !== undefined) {
    if (isRange(wanted)) return { spec: `npm:${name}@${wanted}`, takesInstalled: false };
    return tag.test(wanted) ? { spec: `npm:${name}@${wanted}`, takesInstalled: true } : { takesInstalled: true };
  }
  if (text === "") return { spec: "*", takesInstalled: false };
  if (isRange(text)) return { spec: text, takesInstalled: false };
  return tag.test(text) ? { spec: text, takesInstalled: true } : { takesInstalled: true };
}

function ofWorkspace(text: string): { readonly spec?: string } {
  if (["", "*", "^", "~"].includes(text)) return { spec: "latest" };
  return isRange(text) ? { spec: text } : {};
}
