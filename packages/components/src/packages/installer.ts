import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import {
  XError,
  lockKey,
  sha256Hex,
  systemClock,
  type Clock,
  type Limits,
  type Logger,
  type PackageLock,
} from "@x/model";
import type { InstalledPackages, InstallPool, PackageInstaller, PackageOptions, PackageRequest } from "./contract.ts";
import { createCacheLimit, removeAbandonedDrafts } from "./cache/cache-limit.ts";
import { isAboutCache } from "./npm/problem.ts";
import { installFailed } from "./install-failed.ts";
import { createLockCache } from "./cache/lock-cache.ts";
import type { InstallProgress, InstallQuestion } from "./messages.ts";
import { adoptPins, type InstallPlan, planInstall, specifiersOf } from "./plan.ts";

export interface InstallerOptions {
  /** Shared by all components; created when the first package is installed. */
  readonly cacheFolder: string;
  readonly packages: Omit<PackageOptions, "cache">;
  readonly pool: InstallPool;
  readonly limits: PackageLimits;
  /** Keys of the trees that the cache must keep. */
  readonly needed: () => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
  /** Default: the system's clock, because files have real times. Tests give another. */
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

/** The question for the process that installs. */
const questionOf = (
  { roots, refresh }: InstallPlan,
  lock: PackageLock | undefined,
  { cacheFolder, packages, limits, staging }: InstallerOptions & { readonly staging: string },
): InstallQuestion => ({
  roots,
  lock,
  refresh,
  cacheFolder,
  staging,
  registry: packages.registry,
  limits: {
    count: limits.packagesPerComponent,
    archiveBytes: limits.packageArchiveBytes,
    unpackedBytes: limits.packageUnpackedBytes,
    requestTimeoutMs: limits.packageRequestTimeoutMs,
  },
});

/** Runs equal installations once when they overlap. Starts no process before the first component with a package. */
export function createInstaller(options: InstallerOptions): PackageInstaller {
  const { cacheFolder, packages, pool, limits, logger, needed, clock = systemClock } = options;
  const { registry, cacheBytes = defaultCacheBytes } = packages;
  if (registry !== undefined && !/^https?:\/\/./.test(registry))
    throw new XError("invalid_options", ["packages.registry", "an http or https URL", JSON.stringify(registry)]);
  if (!(cacheBytes >= 0))
    throw new XError("invalid_options", ["packages.cacheBytes", "a number of bytes", String(cacheBytes)]);
  const closing = new AbortController();
  const locks = createLockCache(cacheFolder);
  const cacheLimit = createCacheLimit({ cacheFolder, maxBytes: cacheBytes, needed, clock, logger });
  let enforcing = Promise.resolve();
  let cleaned: Promise<void> | undefined;
  const running = new Map<string, Promise<InstalledPackages>>();

  async function findInstalled(lock: PackageLock): Promise<InstalledPackages | undefined> {
    const key = lockKey(lock);
    const folder = join(cacheFolder, "trees", key);
    return (await cacheLimit.use(folder)) ? { folder, key, lock } : undefined;
  }

  async function runPlan(plan: InstallPlan, lock: PackageLock | undefined): Promise<InstalledPackages> {
    const requested = Object.keys(plan.roots);
    const stagingFolder = join(cacheFolder, "staging");
    cleaned ??= removeAbandonedDrafts(stagingFolder);
    await cleaned;
    const staging = join(stagingFolder, randomUUID());
    const report = (progress: InstallProgress): void => packages.onProgress?.({ ...progress, requested });
    try {
      const end = await pool.run(questionOf(plan, lock, { ...options, staging }), report, closing.signal);
      if (end.kind === "failed" && isAboutCache(end.problem.problem))
        logger.warn("the package cache cannot be written", { folder: cacheFolder, error: end.problem.problem });
      if (end.kind !== "installed") throw installFailed(end, plan, limits);
      const { folder, key, lock: found, offline } = end;
      // A tree that was not used for long may have been evicted meanwhile.
      if (!(await cacheLimit.use(folder))) return await runPlan(plan, lock);
      enforcing = cacheLimit.enforce();
      if (offline !== undefined)
        logger.warn("the npm registry cannot be reached; versions in the cache are used", {
          requested,
          error: offline,
        });
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
    const cached = before ? undefined : await locks.find(specifiers);
    const lock = before ? adoptPins(needed, before) : cached;
    const plan = planInstall(needed, lock, before ? "before" : "cached");
    const known = plan.complete && lock ? await findInstalled(lock) : undefined;
    if (known) return known;
    const installed = await runPlan(plan, lock);
    const total = Object.keys(installed.lock.packages).length;
    packages.onProgress?.({ phase: "installed", requested: specifiers, done: total, total });
    if (!before && JSON.stringify(cached) !== JSON.stringify(installed.lock)) {
      // When this fails, the next component resolves everything again.
      await locks
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
      const known = running.get(id);
      if (known) return known;
      const installing = installNow(needed, before).finally(() => running.delete(id));
      running.set(id, installing);
      return installing;
    },
    async guess(needed) {
      const lock = await locks.find(specifiersOf(needed));
      return lock && findInstalled(lock);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running.values());
      await enforcing;
    },
  };
}
