import { dirname, join, matchesGlob, sep } from "node:path";

import { type Disk, unlessMissing } from "./disk.ts";

/** What matters of a package's own description. */
export interface PackageFolder {
  /** Real path. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Is a `.js` file of it an ES module? */
  isModule(path: string): boolean;
  /** Its `browser` map; empty when it has none. */
  readonly browser: { readonly [from: string]: unknown };
  /** Is it built for one kind of machine when it is installed? */
  readonly isCompiled: boolean;
  /** May a module be left out when nothing of it is used? */
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

const isMap = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The type that the nearest `package.json` says for the files of a folder inside a package. */
function createTypeAt(disk: Disk, packageFolder: string, own: unknown): (folder: string) => unknown {
  const known = new Map<string, unknown>([[packageFolder, own]]);
  const look = (folder: string): unknown => {
    if (!folder.startsWith(packageFolder)) return own;
    try {
      const json: unknown = JSON.parse(disk.read(join(folder, "package.json")));
      if (isMap(json)) return json["type"];
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

/** By what npm does when it installs the package. */
function isCompiled({ gypfile, scripts }: { readonly [field: string]: unknown }): boolean {
  const { install, preinstall, postinstall } = isMap(scripts) ? scripts : {};
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
    if (!isMap(json)) return undefined;
    const { name, version, type, browser, sideEffects } = json;
    const globs = Array.isArray(sideEffects) ? sideEffects.filter((each) => typeof each === "string") : undefined;
    const typeAt = createTypeAt(disk, real, type);
    return {
      folder: real,
      name: typeof name === "string" ? name : "",
      version: typeof version === "string" ? version : "",
      isModule: (path) => typeAt(dirname(path)) === "module",
      browser: isMap(browser) ? browser : {},
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
