import { sha256Hex } from "./sha256.ts";

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

/** The exact versions of all npm packages of a component (R071). */
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
export function listPackages(lock: PackageLock): ComponentPackage[] {
  const requested = new Map(Object.entries(lock.requests).map(([specifier, folder]) => [folder, specifier]));
  const seen = new Set<string>();
  return installedOf(lock)
    .map(([folder, each]) => {
      const specifier = requested.get(folder);
      return {
        name: nameOf(folder, each),
        version: each.version,
        integrity: each.integrity ?? null,
        ...(specifier !== undefined && { requested: specifier }),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name, version, requested: asked }) => {
      // The same package may lie in several folders.
      const entry = `${name} ${version} ${asked ?? ""}`;
      return !seen.has(entry) && seen.add(entry);
    });
}
