import { sha256Hex } from "./process/sha256.ts";

const modules = "node_modules/";

/** One package of a lock, with the fields of `package-lock.json` (version 3) that a later resolution needs. */
export interface LockedPackage {
  readonly version: string;
  /** Name in the registry, if it differs from the folder. */
  readonly name?: string;
  /** URL of its archive. */
  readonly resolved?: string;
  /** Subresource integrity of its archive; absent for a package inside the archive of another. */
  readonly integrity?: string;
  /** Never installed: only optional dependencies need it. */
  readonly optional?: boolean;
  readonly [field: string]: unknown;
}

/** The exact versions of all npm packages of a component. */
export interface PackageLock {
  /** The folder of each specifier in the code, without its sub-path. */
  readonly requests: { readonly [specifier: string]: string };
  /** By folder, such as `node_modules/axios`. */
  readonly packages: { readonly [folder: string]: LockedPackage };
}

/** An npm package in a component. */
export interface ComponentPackage {
  readonly name: string;
  /** Exact version. */
  readonly version: string;
  /** Subresource integrity of its archive; null for a package in the author's own `node_modules` or inside another. */
  readonly integrity: string | null;
  /** The specifier in the component's code; absent for a package that only other packages need. */
  readonly requested?: string;
  /** The origin of the version, for a package that the code names. */
  readonly from?: VersionOrigin;
  /** The requested version, range or tag, as written in the code or the package.json; absent for none. */
  readonly range?: string;
  /** Path of the package.json with the range, relative to the component's root. */
  readonly manifest?: string;
}

/** The code, a package.json, `latest` for neither, or the author's `node_modules`. */
export type VersionOrigin = "import" | "package.json" | "latest" | "node_modules";

/** A package that the code of a component requests. */
export interface AskedPackage {
  readonly name: string;
  /** Tag, version or range for a registry. */
  readonly spec?: string;
  /** The package.json that declares the version, with its text, if the code names none. */
  readonly declared?: { readonly manifest: string; readonly range: string };
}

/** The key of a package in a lock: its name, with the requested version. */
export const specifierOf = ({ name, spec }: AskedPackage): string => (spec === undefined ? name : `${name}@${spec}`);

/** Groups packages by specifier. The code has priority over a package.json. */
export function bySpecifier<T extends AskedPackage>(asked: readonly T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const each of asked) {
    const specifier = specifierOf(each);
    if (!found.has(specifier) || each.declared === undefined) found.set(specifier, each);
  }
  return found;
}

type Origin = Pick<ComponentPackage, "requested" | "from" | "range" | "manifest">;

/** The origin of a package, as components show it. */
export function originOf({ name, spec, declared }: AskedPackage): Origin {
  if (declared) return { requested: name, from: "package.json", ...declared };
  if (spec === undefined) return { requested: name, from: "latest" };
  return { requested: `${name}@${spec}`, from: "import", range: spec };
}

/** Packages that only optional dependencies need are not installed: most are native code for one kind of machine. */
const isInstalled = ({ optional }: LockedPackage): boolean => optional !== true;

export const nameOf = (folder: string, { name }: LockedPackage): string =>
  name ?? folder.slice(folder.lastIndexOf(modules) + modules.length);

const byFolder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

export const installedOf = ({ packages }: PackageLock): (readonly [folder: string, LockedPackage])[] =>
  Object.entries(packages)
    .filter(([, each]) => isInstalled(each))
    .sort(byFolder);

/** Equal for all locks that install the same files in the same folders. */
export function lockKey(lock: PackageLock): string {
  const lines = installedOf(lock).map(([folder, each]) =>
    JSON.stringify([folder, nameOf(folder, each), each.version, each.integrity ?? null]),
  );
  return sha256Hex(lines.join("\n"));
}

/** Lists the packages of a lock by name, as components show them. */
export function listPackages(lock: PackageLock, asked: readonly AskedPackage[]): ComponentPackage[] {
  const origins = new Map(
    [...bySpecifier(asked)].flatMap(([specifier, each]) => {
      const folder = lock.requests[specifier];
      return folder === undefined ? [] : [[folder, originOf(each)]];
    }),
  );
  const seen = new Set<string>();
  return installedOf(lock)
    .map(([folder, each]) => {
      return {
        name: nameOf(folder, each),
        version: each.version,
        integrity: each.integrity ?? null,
        ...origins.get(folder),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name, version, requested: asked }) => {
      // The same package may be in several folders.
      const entry = `${name} ${version} ${asked ?? ""}`;
      return !seen.has(entry) && seen.add(entry);
    });
}
