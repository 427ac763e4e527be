import type { PackageLock } from "@x/model";
import type { InstalledPackages, PackageInstaller, PackageRequest } from "../packages/contract.ts";
import type { PackageUse } from "../contract.ts";

/** The packages of one component. Keeps the versions of the lock `before` where they still satisfy the code. */
export const packageUse = (
  installer: PackageInstaller | undefined,
  before: PackageLock | undefined,
  conditions: "browser" | "node" = "node",
): PackageUse | undefined =>
  installer && {
    conditions,
    install: (needed) => installer.install(needed, before),
    // With a lock there is nothing to guess.
    ...(before === undefined && { guess: (needed) => installer.guess(needed) }),
  };

/** Installs the packages of several parts together, in one tree with one lock. */
export interface SharedInstall {
  /** The packages of the next part; undefined without packages. */
  use(): PackageUse | undefined;
  /** Ends a part that is bundled or has failed: it requests no more packages. */
  ended(use: PackageUse | undefined): void;
}

/** Waits until each of `count` parts has requested its packages or ended, then installs all of them. */
export function createSharedInstall(
  installer: PackageInstaller | undefined,
  before: PackageLock | undefined,
  count: number,
  conditions: PackageUse["conditions"] = "node",
): SharedInstall {
  const needed: PackageRequest[] = [];
  const pending = new Set<PackageUse>();
  const complete = Promise.withResolvers<void>();
  let waiting = count;
  let installing: Promise<InstalledPackages> | undefined;

  function settle(use: PackageUse): void {
    if (!pending.delete(use)) return;
    waiting -= 1;
    if (waiting === 0) complete.resolve();
  }

  return {
    use() {
      if (!installer) return undefined;
      const use: PackageUse = {
        conditions,
        async install(more) {
          needed.push(...more);
          settle(use);
          await complete.promise;
          return { ...(await (installing ??= installer.install(needed, before))), asked: needed };
        },
      };
      pending.add(use);
      return use;
    },
    ended(use) {
      if (use) settle(use);
    },
  };
}
