import { bySpecifier, installedOf, nameOf, specifierOf, type PackageLock } from "@x/model";
import type { PackageRequest } from "./contract.ts";
import type { RootDependency } from "./messages.ts";
import { isInRange } from "./version-range.ts";

export interface InstallPlan {
  /** Direct dependencies by specifier, as the code writes it. */
  readonly roots: { readonly [specifier: string]: RootDependency };
  /** Specifiers in the lock that must be looked up again. */
  readonly refresh: readonly string[];
  /** True when the lock has exactly the requested specifiers, and none must be looked up again. */
  readonly complete: boolean;
}

const exact = /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const modules = "node_modules/";

/** The specifiers of the requests, in order, without duplicates. */
export const specifiersOf = (needed: readonly PackageRequest[]): string[] => [...new Set(needed.map(specifierOf))];

/**
 * Plans an installation. The lock is that of the component's previous version ("before"), which pins packages without a
 * specifier or with an exact one; or that of another component with the same specifiers ("cached"), whose
 * versions are used as long as the registry confirms them.
 */
export function planInstall(
  needed: readonly PackageRequest[],
  lock: PackageLock | undefined,
  origin: "before" | "cached",
): InstallPlan {
  const known = new Map(Object.entries(lock?.requests ?? {}));
  const roots: { [specifier: string]: RootDependency } = {};
  const refresh: string[] = [];
  const taken = new Set<string>();
  const wanted = bySpecifier(needed);
  for (const specifier of wanted.keys()) {
    const folder = known.get(specifier);
    if (folder !== undefined) taken.add(folder.slice(modules.length));
  }
  for (const [specifier, request] of wanted) {
    const { name, importer, declared } = request;
    const folder = known.get(specifier)?.slice(modules.length) ?? freeFolder(name, taken);
    taken.add(folder);
    roots[specifier] = { folder, ...targetOf(request), importer, ...(declared && { manifest: declared.manifest }) };
    if (known.has(specifier) && mayChange(request, origin)) refresh.push(specifier);
  }
  const complete =
    refresh.length === 0 && known.size === wanted.size && [...wanted.keys()].every((specifier) => known.has(specifier));
  return { roots, refresh, complete };
}

/** True when the registry may have another version for the request. */
function mayChange({ spec, declared }: PackageRequest, origin: "before" | "cached"): boolean {
  if (spec === undefined) return origin === "cached";
  // Without a specifier in the code the lock pins the version.
  if (origin === "before" && declared) return false;
  return !exact.test(spec);
}

/** The name and version to request from the registry: a package.json may declare an alias (`npm:name@range`). */
function targetOf({ name, spec = "latest" }: PackageRequest): { readonly name: string; readonly spec: string } {
  const [, known, wanted = "latest"] = /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@(.+))?$/.exec(spec) ?? [];
  return known === undefined ? { name, spec } : { name: known, spec: wanted };
}

function freeFolder(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const folder = count === 1 ? name : `${name}__${count}`;
    if (!taken.has(folder)) return folder;
  }
}

/**
 * Adapts the lock of a component's previous version to new ranges in a package.json: a locked version that satisfies the
 * new range stays locked.
 */
export function adoptPins(needed: readonly PackageRequest[], lock: PackageLock): PackageLock {
  const wanted = new Set(specifiersOf(needed));
  const locked = new Map(installedOf(lock));
  const requests = { ...lock.requests };
  for (const request of needed) {
    const specifier = specifierOf(request);
    if (!request.declared || Object.hasOwn(requests, specifier)) continue;
    const { name, spec } = targetOf(request);
    const adopted = Object.entries(lock.requests).find(([, folder]) => {
      const each = locked.get(folder);
      return each !== undefined && nameOf(folder, each) === name && isInRange(each.version, spec);
    });
    if (!adopted) continue;
    requests[specifier] = adopted[1];
    if (!wanted.has(adopted[0])) delete requests[adopted[0]];
  }
  return { ...lock, requests };
}
