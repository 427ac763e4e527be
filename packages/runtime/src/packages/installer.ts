import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { type Clock, systemClock } from "../process/clock.ts";
import { XError } from "../model/errors.ts";
import { sha256Hex } from "../process/sha256.ts";
import type { PackageLock } from "../model/package-lock.ts";
import type { Limits, Logger, PackageOptions } from "../api/options.ts";
import { createCacheBound, removeLeftDrafts } from "./cache/cache-limit.ts";
import type { InstallCrew, InstalledPackages, PackageInstaller, PackageRequest } from "./contract.ts";
import { installFailed } from "./install-failed.ts";
import { lockKey } from "../model/package-lock.ts";
import { createMemo } from "./cache/lock-cache.ts";
import type { InstallProgress } from "./messages.ts";
import { adoptPins, type InstallPlan, planInstall, specifiersOf } from "./plan.ts";

export interface InstallerOptions {
  /** Shared by all components; made when the first package is installed. */
  readonly cacheFolder: string;
  readonly packages: Omit<PackageOptions, "cache">;
  readonly crew: InstallCrew;
  readonly limits: PackageLimits;
  /** Keys of the trees that stay in the cache. */
  readonly needed: () => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
  /** The times of files are real ones; another clock is for tests. */
  readonly clock?: Pick<Clock, "now">;
}

const defaultCacheBytes = 2 * 1024 * 1024 * 1024;

export type PackageLimits = Pick<
  Limits,
  | "packageTimeoutMs"
  | "packageRequestTimeoutMs"
  | "packageMemoryBytes"
  | "packagesPerComponent"
  | "packageArchiveBytes"
  | "packageUnpackedBytes"
>;

/** Installs once what is asked for at the same time. Starts nothing before the first component with a package. */
export function createInstaller(options: InstallerOptions): PackageInstaller {
  const { cacheFolder, packages, crew, limits, logger, needed, clock = systemClock } = options;
  const { registry, cacheBytes = defaultCacheBytes } = packages;
  if (registry !== undefined && !/^https?:\/\/./.test(registry))
    throw new XError("invalid_options", ["packages.registry", "an http or https URL", JSON.stringify(registry)]);
  if (!(cacheBytes >= 0))
    throw new XError("invalid_options", ["packages.cacheBytes", "a number of bytes", String(cacheBytes)]);
  const leaving = new AbortController();
  const memo = createMemo(cacheFolder);
  const bound = createCacheBound({ cacheFolder, mostBytes: cacheBytes, needed, clock, logger });
  let bounding = Promise.resolve();
  let swept: Promise<void> | undefined;
  const underWay = new Map<string, Promise<InstalledPackages>>();

  async function findInstalled(lock: PackageLock): Promise<InstalledPackages | undefined> {
    const key = lockKey(lock);
    const folder = join(cacheFolder, "trees", key);
    return (await bound.use(folder)) ? { folder, key, lock } : undefined;
  }

  async function ask(plan: InstallPlan, lock: PackageLock | undefined): Promise<InstalledPackages> {
    const requested = Object.keys(plan.roots);
    const stagings = join(cacheFolder, "staging");
    swept ??= removeLeftDrafts(stagings);
    await swept;
    const staging = join(stagings, randomUUID());
    const tell = (progress: InstallProgress): void => packages.onProgress?.({ ...progress, requested });
    const question = {
      roots: plan.roots,
      lock,
      refresh: plan.refresh,
      cacheFolder,
      staging,
      registry: packages.registry,
      limits: {
        count: limits.packagesPerComponent,
        archiveBytes: limits.packageArchiveBytes,
        unpackedBytes: limits.packageUnpackedBytes,
        requestTimeoutMs: limits.packageRequestTimeoutMs,
      },
    };
    try {
      const end = await crew.ask(question, tell, leaving.signal);
      if (end.kind !== "installed") throw installFailed(end, plan, limits);
      const { folder, key, lock: found, offline } = end;
      // Where it was there, it may have gone meanwhile: nobody had used it for long.
      if (!(await bound.use(folder))) return await ask(plan, lock);
      bounding = bound.enforce();
      if (offline !== undefined)
        logger.warn("the npm registry cannot be reached; versions in the cache hold", { requested, problem: offline });
      return { folder, key, lock: found };
    } finally {
      await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async function installNow(
    needed: readonly PackageRequest[],
    before: PackageLock | undefined,
  ): Promise<InstalledPackages> {
    const specifiers = specifiersOf(needed);
    const remembered = before ? undefined : await memo.find(specifiers);
    const lock = before ? adoptPins(needed, before) : remembered;
    const plan = planInstall(needed, lock, before ? "before" : "memo");
    const known = plan.complete && lock ? await findInstalled(lock) : undefined;
    if (known) return known;
    const installed = await ask(plan, lock);
    const total = Object.keys(installed.lock.packages).length;
    packages.onProgress?.({ phase: "installed", requested: specifiers, done: total, total });
    if (!before && JSON.stringify(remembered) !== JSON.stringify(installed.lock)) {
      // Without it the next component asks the registry for everything.
      await memo
        .keep(installed.lock)
        .catch((error: unknown) => logger.warn("the package cache cannot be written", { error: String(error) }));
      logger.info("npm packages installed", { requested: specifiers, packages: total });
    }
    return installed;
  }

  return {
    install(needed, before) {
      const specifiers = specifiersOf(needed).sort();
      const id = sha256Hex(JSON.stringify([specifiers, before ?? null]));
      const known = underWay.get(id);
      if (known) return known;
      const installing = installNow(needed, before).finally(() => underWay.delete(id));
      underWay.set(id, installing);
      return installing;
    },
    async guess(needed) {
      const lock = await memo.find(specifiersOf(needed));
      return lock && findInstalled(lock);
    },
    async close() {
      leaving.abort();
      await Promise.allSettled(underWay.values());
      await bounding;
    },
  };
}
