import type { AskedPackage, PackageLock } from "../model/package-lock.ts";
import type { InstallEnd, InstallQuestion, NoteProgress } from "./messages.ts";

/**
 * A package that the code of a component names. Without a `spec` it is the current version, which then stays; so does one
 * in a declared range.
 */
export interface PackageRequest extends AskedPackage {
  /** The file that names it. */
  readonly importer: string;
}

/** Packages of one component in a folder that is never changed again. */
export interface InstalledPackages {
  /** Holds `node_modules`. */
  readonly folder: string;
  /** SHA-256 hex over names, versions and integrity of all of them. */
  readonly key: string;
  readonly lock: PackageLock;
  /** What all parts asked for, where several were installed together. */
  readonly asked?: readonly PackageRequest[];
}

/** What an installation is doing. */
export interface PackageProgress {
  readonly phase: "resolving" | "fetching" | "installed";
  /** Specifiers that the component's code names. */
  readonly requested: readonly string[];
  /** Packages fetched so far, and how many there are; 0 while they are being resolved. */
  readonly done: number;
  readonly total: number;
}

/** Processes that install, for every installer of an engine: one for each installation at a time, kept for a while. */
export interface InstallCrew {
  /** Rejects with `closed` after `close`, or once `leaving` is aborted: what it had begun has ended then. */
  ask(question: InstallQuestion, noted: NoteProgress, leaving: AbortSignal): Promise<InstallEnd>;
  close(): Promise<void>;
}

/** Resolves and installs npm packages in processes of their own; never runs a script of a package. */
export interface PackageInstaller {
  /**
   * With the lock of the version before, only new and changed specifiers are resolved, and those that are no exact version.
   * Rejects with a `package_…` error; nothing half-installed is left.
   */
  install(needed: readonly PackageRequest[], before?: PackageLock): Promise<InstalledPackages>;
  /** What the same specifiers led to last, if it is still there: `install` most likely gives the same. */
  guess(needed: readonly PackageRequest[]): Promise<InstalledPackages | undefined>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
