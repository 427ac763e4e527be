import type { PackageLock } from "../../model/package-lock.ts";
import type { InstalledPackages, PackageInstaller, PackageRequest } from "../../packages/contract.ts";
import type { PackageUse } from "../contract.ts";

/** How one component gets its packages: with the versions of `before` where they still serve (R071). */
export const packageUse = (
  installer: PackageInstaller | undefined,
  before: PackageLock | undefined,
  conditions: "browser" | "node" = "node",
): PackageUse | undefined =>
  installer && {
    conditions,
    install: (needed) => installer.install(needed, before),
    // A lock answers at once, so there is nothing to guess.
    ...(before === undefined && { guess: (needed) => installer.guess(needed) }),
  };

/** Packages of the parts of one whole: all of them in one tree with one lock. */
export interface SharedInstall {
  /** How the next part gets its packages; absent without packages. */
  use(): PackageUse | undefined;
  /** A part is bundled, or failed: it asks for nothing any more. */
  ended(use: PackageUse | undefined): void;
}

/** Waits until each of `count` parts has said what it needs, then installs it for all of them. */
export function createSharedInstall(
  installer: PackageInstaller | undefined,
  before: PackageLock | undefined,
  count: number,
  conditions: PackageUse["conditions"] = "node",
): SharedInstall {
  const needed: PackageRequest[] = [];
  const silent = new Set<PackageUse>();
  const heard = Promise.withResolvers<void>();
  let waiting = count;
  let installing: Promise<InstalledPackages> | undefined;

  function hear(use: PackageUse): void {
    if (!silent.delete(use)) return;
    waiting -= 1;
    if (waiting === 0) heard.resolve();
  }

  return {
    use() {
      if (!installer) return undefined;
      const use: PackageUse = {
        conditions,
        async install(more) {
          needed.push(...more);
          hear(use);
          await heard.promise;
          return { ...(await (installing ??= installer.install(needed, before))), asked: needed };
        },
      };
      silent.add(use);
      return use;
    },
    ended(use) {
      if (use) hear(use);
    },
  };
}
