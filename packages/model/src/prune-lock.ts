import type { LockedPackage, PackageLock } from "./package-lock.ts";

const modules = "node_modules/";

const namesIn = (record: unknown): string[] => Object.keys(record ?? {});

/** What a package needs at run time, and may need; not what it can use when somebody else needs it. */
function dependenciesOf(locked: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = locked;
  const peers = peerDependenciesMeta as { readonly [name: string]: { readonly optional?: boolean } };
  const isNeeded = (name: string): boolean => peers[name]?.optional !== true;
  return [...namesIn(dependencies), ...namesIn(optionalDependencies), ...namesIn(peerDependencies).filter(isNeeded)];
}

/** The folder that Node finds for a package that the one in `folder` imports. */
function folderFor(name: string, folder: string, packages: PackageLock["packages"]): string | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf(modules) - 1))) {
    const found = `${at === "" ? "" : `${at}/`}${modules}${name}`;
    if (Object.hasOwn(packages, found)) return found;
    if (at === "") return undefined;
  }
}

/** The part of a lock that these specifiers need; undefined when it lacks one of them. */
export function pruneLock(lock: PackageLock, specifiers: readonly string[]): PackageLock | undefined {
  const wanted = new Set(specifiers);
  const requests = Object.entries(lock.requests).filter(([specifier]) => wanted.has(specifier));
  if (requests.length < wanted.size) return undefined;
  const waiting = requests.map(([, folder]) => folder);
  const kept = new Set<string>();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const locked = lock.packages[folder];
    if (!locked || kept.has(folder)) continue;
    kept.add(folder);
    for (const name of dependenciesOf(locked)) {
      const needed = folderFor(name, folder, lock.packages);
      if (needed !== undefined) waiting.push(needed);
    }
  }
  const packages = Object.entries(lock.packages).filter(([folder]) => kept.has(folder));
  return { requests: Object.fromEntries(requests), packages: Object.fromEntries(packages) };
}
