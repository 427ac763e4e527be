import { sha256Hex } from "../process/sha256.ts";

const modules = "node_modules/";

/** One package of a lock, with the fields of `package-lock.json` (version 3) that a later resolution needs. */
export interface LockedPackage {
  readonly version: string;
  /** Name in the registry, where the folder has another. */
  readonly name?: string;
  /** Where its archive came from. */
  readonly resolved?: string;
  /** Subresource integrity of its archive; absent for a package that came inside the archive of another. */
  readonly integrity?: string;
  /** Never installed: nothing needs it. */
  readonly optional?: boolean;
  readonly [field: string]: unknown;
}

/** The exact versions of all npm packages of a component. */
export interface PackageLock {
  /** Folder that answers to each specifier as the code writes it, without its sub-path. */
  readonly requests: { readonly [specifier: string]: string };
  /** By folder, such as `node_modules/axios`. */
  readonly packages: { readonly [folder: string]: LockedPackage };
}

/** An npm package that went into a component. */
export interface ComponentPackage {
  readonly name: string;
  /** Exact version. */
  readonly version: string;
  /** Subresource integrity of its archive; null for a package of the author's own `node_modules`, or inside another. */
  readonly integrity: string | null;
  /** How the component's code names it; absent for a package that only other packages need. */
  readonly requested?: string;
  /** What decided on the version of one that the code names. */
  readonly from?: VersionOrigin;
  /** The version, range or tag that was asked for, as it stands in the code or the package.json; absent for none. */
  readonly range?: string;
  /** Path of the package.json that has the range, relative to the component's root. */
  readonly manifest?: string;
}

/**
 * The code itself, a package.json beside it, nothing: then it is the current version, or the one in the author's
 * `node_modules`.
 */
export type VersionOrigin = "import" | "package.json" | "latest" | "node_modules";

/** A package as the code of a component asks for it. */
export interface AskedPackage {
  readonly name: string;
  /** Tag, version or range for a registry. */
  readonly spec?: string;
  /** The package.json that has it, when the code itself names no version, and the text that stands there. */
  readonly declared?: { readonly manifest: string; readonly range: string };
}

/** What a lock calls it: what is asked of the registry, wherever that stands. */
export const specifierOf = ({ name, spec }: AskedPackage): string => (spec === undefined ? name : `${name}@${spec}`);

/** By specifier. What the code itself says goes before what stands beside it. */
export function bySpecifier<T extends AskedPackage>(asked: readonly T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const each of asked) {
    const specifier = specifierOf(each);
    if (!found.has(specifier) || each.declared === undefined) found.set(specifier, each);
  }
  return found;
}

type Origin = Pick<ComponentPackage, "requested" | "from" | "range" | "manifest">;

/** What a component shows of how it asks for a package. */
export function originOf({ name, spec, declared }: AskedPackage): Origin {
  if (declared) return { requested: name, from: "package.json", ...declared };
  if (spec === undefined) return { requested: name, from: "latest" };
  return { requested: `${name}@${spec}`, from: "import", range: spec };
}

/** Is it in the folder? What only optional dependencies need is not: mostly native code for one kind of machine. */
const isInstalled = ({ optional }: LockedPackage): boolean => optional !== true;

export const nameOf = (folder: string, { name }: LockedPackage): string =>
  name ?? folder.slice(folder.lastIndexOf(modules) + modules.length);

const byFolder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

export const installedOf = ({ packages }: PackageLock): (readonly [folder: string, LockedPackage])[] =>
  Object.entries(packages)
    .filter(([, each]) => isInstalled(each))
    .sort(byFolder);

/** The same for every lock that leads to the same files in the same folders. */
export function lockKey(lock: PackageLock): string {
  const lines = installedOf(lock).map(([folder, each]) =>
    JSON.stringify([folder, nameOf(folder, each), each.version, each.integrity ?? null]),
  );
  return sha256Hex(lines.join("\n"));
}

/** What a component shows of its lock, by name. */
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
      // The same package may lie in several folders.
      const entry = `${name} ${version} ${asked ?? ""}`;
      return !seen.has(entry) && seen.add(entry);
    });
}
