import type { PackageLock } from "../../model/package-lock.ts";
import type { PackageInstaller } from "../../packages/contract.ts";
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
