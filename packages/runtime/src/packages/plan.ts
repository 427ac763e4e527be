import { bySpecifier, installedOf, nameOf, type PackageLock, specifierOf } from "../model/package-lock.ts";
import type { PackageRequest } from "./contract.ts";
import type { RootDependency } from "./messages.ts";
import { isInRange } from "./version-range.ts";

export interface InstallPlan {
  /** By specifier as the code writes it. */
  readonly roots: { readonly [specifier: string]: RootDependency };
  /** Specifiers that are to be looked up anew although the lock has them. */
  readonly refresh: readonly string[];
  /** The lock answers everything, and holds nothing else. */
  readonly complete: boolean;
}

const exact = /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const modules = "node_modules/";

/** Each specifier once, in the order of the requests. */
export const specifiersOf = (needed: readonly PackageRequest[]): string[] => [...new Set(needed.map(specifierOf))];

/**
 * What to resolve. `before` is the lock of the component's last version: it holds for what has no specifier or an exact one
 * (R071, R072, S28). `memo` is what
 * the same specifiers led to for another component: it holds where the registry still says so.
 */
export function planInstall(
  needed: readonly PackageRequest[],
  lock: PackageLock | undefined,
  lockIs: "before" | "memo",
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
    if (known.has(specifier) && mayChange(request, lockIs)) refresh.push(specifier);
  }
  const complete =
    refresh.length === 0 && known.size === wanted.size && [...wanted.keys()].every((specifier) => known.has(specifier));
  return { roots, refresh, complete };
}

function mayChange({ spec, declared }: PackageRequest, lockIs: "before" | "memo"): boolean {
  if (spec === undefined) return lockIs === "memo";
  // No specifier in the code: the version stays.
  if (lockIs === "before" && declared) return false;
  return !exact.test(spec);
}

/** A package.json may give a package another name than the registry does. */
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
 * The lock of a component's last version, with what it has already for ranges of a package.json that are new: a version
 * that a range admits stays (S28, S38).
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
