import { installedOf, nameOf, type PackageLock, specifierOf } from "../model/package-lock.ts";
import { isInRange } from "./version-range.ts";
import type { PackageRequest } from "./contract.ts";
import { specifiersOf, targetOf } from "./plan.ts";

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
