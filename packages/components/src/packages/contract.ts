import type { AskedPackage, PackageLock } from "@x/model";
import type { InstallEnd, InstallQuestion, OnProgress } from "./messages.ts";

/**
 * A package that the code of a component imports. Without a `spec` it is the current version. The lock then pins that
 * version, and the version of a declared range.
 */
export interface PackageRequest extends AskedPackage {
  /** The file that imports it. */
  readonly importer: string;
}

/** Packages of one component, in a folder that never changes. */
export interface InstalledPackages {
  /** Contains `node_modules`. */
  readonly folder: string;
  /** SHA-256 in hex over names, versions and integrity of all packages. */
  readonly key: string;
  readonly lock: PackageLock;
  /** Requests of all parts, when several parts were installed together. */
  readonly asked?: readonly PackageRequest[];
}

/** Progress of an installation. */
export interface PackageProgress {
  readonly phase: "resolving" | "fetching" | "installed";
  /** Specifiers in the component's code. */
  readonly requested: readonly string[];
  /** Number of fetched packages, and of all packages; both are 0 while versions are resolved. */
  readonly done: number;
  readonly total: number;
}

/** Install processes of an engine, which all its installers share. An idle process is kept for 30 seconds. */
export interface InstallPool {
  /** Runs one installation. Rejects with `closed` after `close`, or when `signal` is aborted; its process has ended then. */
  run(question: InstallQuestion, onProgress: OnProgress, signal: AbortSignal): Promise<InstallEnd>;
  close(): Promise<void>;
}

/** Resolves and installs npm packages in separate processes. Never runs a script of a package. */
export interface PackageInstaller {
  /**
   * Installs packages. With the lock of the previous version, resolves only new specifiers, changed ones, and those that
   * are not an exact version. Rejects with a `package_…` error, and then leaves nothing behind.
   */
  install(needed: readonly PackageRequest[], before?: PackageLock): Promise<InstalledPackages>;
  /** The last result for the same specifiers, if the cache still has it. `install` probably gives the same. */
  guess(needed: readonly PackageRequest[]): Promise<InstalledPackages | undefined>;
  /** Cancels running installations. */
  close(): Promise<void>;
}

/** Source of npm packages for components. The npm configuration of the user (npmrc, environment) applies too. */
export interface PackageOptions {
  /** Replaces the configured registry, except for scopes with their own. */
  readonly registry?: string;
  /**
   * Cache folder; runtimes and processes may share it. Default: `packages` in the data folder; without a data folder
   * `$XDG_CACHE_HOME/x/packages`.
   */
  readonly cache?: string;
  /**
   * Size of that folder; default 2 GiB. Beyond it the least recently used packages are removed, except those of deployed
   * sources and workflows, and those used within the last hour.
   */
  readonly cacheBytes?: number;
  /** Called with the progress of installations. */
  readonly onProgress?: (progress: PackageProgress) => void;
}
