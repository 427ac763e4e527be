import type { ProcessEnd } from "../process/guarded-process.ts";
import type { LockedPackage, PackageLock } from "../model/package-lock.ts";

export interface InstallLimits {
  /** Packages of one component, those that packages need included. */
  readonly count: number;
  /** Of all their archives together, as they come over the network. */
  readonly archiveBytes: number;
  /** Of all files that are kept of them together. */
  readonly unpackedBytes: number;
  /** Of one request. */
  readonly requestTimeoutMs: number;
}

/** One dependency of the imaginary project that is resolved for a component. */
export interface RootDependency {
  /** Name of its folder: the package's own, or a free one when the code asks for two versions of a package. */
  readonly folder: string;
  readonly name: string;
  /** Tag, version or range for the registry. */
  readonly spec: string;
  readonly importer: string;
  /** The package.json that asks for that version, when the code does not. */
  readonly manifest?: string;
}

/** One installation, as the host asks its process for it. */
export interface InstallQuestion {
  /** By specifier. */
  readonly roots: { readonly [specifier: string]: RootDependency };
  readonly lock: PackageLock | undefined;
  /** Specifiers whose locked version may have been superseded. */
  readonly refresh: readonly string[];
  readonly cacheFolder: string;
  /** A new folder for what is not complete yet; whoever asks removes it. */
  readonly staging: string;
  /** Registry in place of the configured one. */
  readonly registry: string | undefined;
  readonly limits: InstallLimits;
}

/** Why packages cannot be had; each is an error code of its own. */
export type ProblemKind = "unresolved" | "refused" | "too_large" | "integrity" | "unreachable";

export interface InstallProblem {
  readonly kind: ProblemKind;
  /** The package that it is about, with what was asked for. */
  readonly package: string;
  /** Who asks for it: a file of the component, then packages. */
  readonly chain: readonly string[];
  readonly problem: string;
}

export interface InstallProgress {
  readonly phase: "resolving" | "fetching";
  readonly done: number;
  readonly total: number;
}

export type NoteProgress = (progress: InstallProgress) => void;

export type InstallAnswer =
  | {
      readonly kind: "installed";
      readonly folder: string;
      readonly key: string;
      readonly lock: PackageLock;
      /** The registry could not be asked; the locked versions hold. */
      readonly offline?: string;
    }
  | { readonly kind: "failed"; readonly problem: InstallProblem }
  /** The installer itself does not work here. */
  | { readonly kind: "broken"; readonly message: string };

export type InstallEnd = InstallAnswer | ProcessEnd;

/** `packages` of a `package-lock.json`. */
export interface LockFile {
  readonly lockfileVersion: 3;
  readonly packages: { readonly [folder: string]: LockedPackage | { readonly dependencies: object } };
}
