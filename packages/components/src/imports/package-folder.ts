import { dirname, join, matchesGlob, sep } from "node:path";

import { type Disk, unlessMissing } from "./disk.ts";
import { isRecord } from "../shown-value.ts";

/** A package's folder and the relevant fields of its package.json. */
export interface PackageFolder {
  /** Real path. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** True when a `.js` file of the package is an ES module. */
  isModule(path: string): boolean;
  /** `main` as written. */
  readonly main: string | undefined;
  /** Its `browser` map; empty when it has none. */
  readonly browser: { readonly [from: string]: unknown };
  /** True when the package is compiled at installation. */
  readonly isCompiled: boolean;
  /** False when an unused module may be left out. */
  hasSideEffects(file: string): boolean;
}

const modules = `${sep}node_modules${sep}`;

/** The folder of the package that a file belongs to, by the last `node_modules` in its path. */
export function packageFolderOf(path: string): string | undefined {
  const at = path.lastIndexOf(modules);
  if (at < 0) return undefined;
  const [first = "", second = ""] = path.slice(at + modules.length).split(sep);
  return path.slice(0, at + modules.length) + (first.startsWith("@") ? first + sep + second : first);
}

/** Finds the module type of a folder in the nearest `package.json` inside a package. */
function createTypeAt(disk: Disk, packageFolder: string, own: unknown): (folder: string) => unknown {
  const known = new Map<string, unknown>([[packageFolder, own]]);
  const look = (folder: string): unknown => {
    if (!folder.startsWith(packageFolder)) return own;
    try {
      const json: unknown = JSON.parse(disk.read(join(folder, "package.json")));
      if (isRecord(json)) return json["type"];
    } catch {
      // Most folders have none.
    }
    return typeAt(dirname(folder));
  };
  const typeAt = (folder: string): unknown => {
    if (!known.has(folder)) known.set(folder, look(folder));
    return known.get(folder);
  };
  return typeAt;
}

const builders = /\b(?:node-gyp|node-gyp-build|node-pre-gyp|prebuild-install|prebuildify|cmake-js)\b/;

/** True when npm would compile the package. */
function isCompiled({ gypfile, scripts }: { readonly [field: string]: unknown }): boolean {
  const { install, preinstall, postinstall } = isRecord(scripts) ? scripts : {};
  return (
    gypfile === true ||
    [install, preinstall, postinstall].some((each) => typeof each === "string" && builders.test(each))
  );
}

/** Undefined when there is no readable `package.json`. */
export function readPackageFolder(disk: Disk, folder: string): PackageFolder | undefined {
  try {
    const real = disk.realpath(folder);
    const json: unknown = JSON.parse(disk.read(join(real, "package.json")));
    if (!isRecord(json)) return undefined;
    const { name, version, type, main, browser, sideEffects } = json;
    const globs = Array.isArray(sideEffects) ? sideEffects.filter((each) => typeof each === "string") : undefined;
    const typeAt = createTypeAt(disk, real, type);
    return {
      folder: real,
      name: typeof name === "string" ? name : "",
      version: typeof version === "string" ? version : "",
      isModule: (path) => typeAt(dirname(path)) === "module",
      main: typeof main === "string" ? main : undefined,
      browser: isRecord(browser) ? browser : {},
      isCompiled: isCompiled(json) || unlessMissing(() => disk.stat(join(real, "binding.gyp"))) !== undefined,
      hasSideEffects(file) {
        if (!globs) return sideEffects !== false;
        return globs.some((glob) => matchesGlob(file, glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`));
      },
    };
  } catch {
    return undefined;
  }
}
