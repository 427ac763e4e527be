import { join, posix, relative, sep } from "node:path";

import { type Disk, unlessMissing } from "./disk.ts";
import { isRange } from "../packages/version-range.ts";
import { isRecord } from "../shown-value.ts";

/** What a component's package.json declares about a package. */
export interface Declared extends DeclaredVersion {
  /** The range as declared. */
  readonly range: string;
  /** Name of the package.json, relative to the root. */
  readonly manifest: string;
}

/** The package.json files of a component's folders, up to its root. */
export interface Manifests {
  /** The declaration of a package in the importer's nearest package.json; undefined when it does not name the package. */
  declared(importer: string, packageName: string): Declared | { readonly problem: string } | undefined;
  /** The nearest package.json of the importer with its `imports`; undefined without one. */
  imports(importer: string): ManifestImports | { readonly problem: string } | undefined;
  /** Names of each package.json that was looked for, also missing ones. */
  readonly looked: ReadonlySet<string>;
}

/** The names that a package.json gives to files and packages for its own imports. */
export interface ManifestImports {
  /** Name of the package.json, relative to the root. */
  readonly manifest: string;
  readonly imports: { readonly [key: string]: unknown };
}

type Manifest = { readonly fields: { readonly [field: string]: unknown } } | { readonly problem: string };

const file = "package.json";
/** In order of priority: dependencies that are installed with the component come before those for its development. */
const dependencyFields = ["optionalDependencies", "dependencies", "devDependencies", "peerDependencies"];

/** False for a package.json without a name and dependencies, which only declares the module type. */
const isOfPackage = (fields: { readonly [field: string]: unknown }): boolean =>
  ["name", ...dependencyFields].some((field) => Object.hasOwn(fields, field));

/** Reads a package.json by its name relative to the root; undefined when it does not exist. */
export type ReadManifest = (name: string) => { readonly text: string } | { readonly problem: string } | undefined;

/** Reads each package.json of a folder. */
export const manifestsOnDisk =
  (disk: Disk, root: string, maxBytes: number): ReadManifest =>
  (name) => {
    const path = join(root, name);
    const state = unlessMissing(() => disk.stat(path));
    if (!state?.isFile()) return undefined;
    const way = relative(root, disk.realpath(path));
    if (way === ".." || way.startsWith(`..${sep}`)) return { problem: "it leads out of the component's root folder" };
    if (state.size > maxBytes) return { problem: `it must be at most ${maxBytes} bytes, got ${state.size}` };
    return { text: disk.read(path) };
  };

const unusable = (name: string, problem: string): string => `"${name}" cannot be used: ${problem}`;

export function createManifests(readText: ReadManifest): Manifests {
  const looked = new Set<string>();
  const known = new Map<string, Manifest | undefined>();

  function read(name: string): Manifest | undefined {
    const found = readText(name);
    if (!found || "problem" in found) return found;
    try {
      const fields: unknown = JSON.parse(found.text.replace(/^\uFEFF/, ""));
      return isRecord(fields) ? { fields } : { problem: "it must be an object" };
    } catch (error) {
      return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
    }
  }

  /** The nearest package.json with suitable fields; one with a problem is always suitable. */
  function at(
    folder: string,
    isSuitable: (fields: { readonly [field: string]: unknown }) => boolean,
  ): { readonly name: string; readonly manifest: Manifest } | undefined {
    const name = posix.join(folder, file);
    if (!known.has(name)) known.set(name, read(name));
    looked.add(name);
    const manifest = known.get(name);
    if (manifest && ("problem" in manifest || isSuitable(manifest.fields))) return { name, manifest };
    return folder === "." ? undefined : at(posix.dirname(folder), isSuitable);
  }

  return {
    looked,
    imports(importer) {
      const found = at(posix.dirname(importer), () => true);
      if (!found) return undefined;
      const { name, manifest } = found;
      if ("problem" in manifest) return { problem: unusable(name, manifest.problem) };
      const { imports } = manifest.fields;
      return { manifest: name, imports: isRecord(imports) ? imports : {} };
    },
    declared(importer, packageName) {
      const found = at(posix.dirname(importer), isOfPackage);
      if (!found) return undefined;
      const { name, manifest } = found;
      if ("problem" in manifest) return { problem: unusable(name, manifest.problem) };
      for (const field of dependencyFields) {
        const map = manifest.fields[field];
        if (!isRecord(map) || !Object.hasOwn(map, packageName)) continue;
        const range = map[packageName];
        if (typeof range !== "string") return { problem: unusable(name, `${field}.${packageName} must be a string`) };
        return { range, manifest: name, ...readDeclaredVersion(range) };
      }
      return undefined;
    },
  };
}

/** A declared version of a package. */
export interface DeclaredVersion {
  /** Version, range or tag, with `npm:name@` for an alias; absent when no registry can have it. */
  readonly spec?: string;
  /** True when an installed package of any version is accepted. */
  readonly takesInstalled: boolean;
}

const alias = /^npm:((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@(.+))?$/i;
const tag = /^[a-z_][\w.-]*$/i;

/** Parses a version as npm does. `workspace:` means the version that would be published. */
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
