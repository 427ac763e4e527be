import type { LockedPackage, PackageLock, ProcessEnd } from "@x/model";

export interface InstallLimits {
  /** Maximum number of packages of a component, transitive ones included. */
  readonly count: number;
  /** Maximum size of all archives together, compressed. */
  readonly archiveBytes: number;
  /** Maximum size of all unpacked files together. */
  readonly unpackedBytes: number;
  /** Timeout of one request to the npm registry. */
  readonly requestTimeoutMs: number;
}

/** A direct dependency of the project that stands for a component when npm resolves it. */
export interface RootDependency {
  /** Name of its folder: the package's name, or another one when the code imports two versions of a package. */
  readonly folder: string;
  readonly name: string;
  /** Tag, version or range. */
  readonly spec: string;
  readonly importer: string;
  /** The package.json that declares `spec`; absent when the code does. */
  readonly manifest?: string;
}

/** The message to an install process that starts an installation. */
export interface InstallQuestion {
  /** Direct dependencies by specifier. */
  readonly roots: { readonly [specifier: string]: RootDependency };
  readonly lock: PackageLock | undefined;
  /** Specifiers whose locked version may be outdated. */
  readonly refresh: readonly string[];
  readonly cacheFolder: string;
  /** A new folder for incomplete files; the host removes it. */
  readonly staging: string;
  /** URL of the npm registry; undefined: as npm is configured. */
  readonly registry: string | undefined;
  readonly limits: InstallLimits;
}

/** Why packages cannot be installed. Each kind has an error code. */
export type ProblemKind = "unresolved" | "refused" | "too_large" | "integrity" | "unreachable";

export interface InstallProblem {
  readonly kind: ProblemKind;
  /** The package with the problem, and the requested version. */
  readonly package: string;
  /** The importers: a file of the component, then packages. */
  readonly chain: readonly string[];
  readonly problem: string;
}

export interface InstallProgress {
  readonly phase: "resolving" | "fetching";
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: InstallProgress) => void;

export type InstallAnswer =
  | {
      readonly kind: "installed";
      readonly folder: string;
      readonly key: string;
      readonly lock: PackageLock;
      /** Why the registry could not be reached; the locked versions are used. */
      readonly offline?: string;
    }
  | { readonly kind: "failed"; readonly problem: InstallProblem }
  /** The installer itself failed. */
  | { readonly kind: "broken"; readonly message: string };

export type InstallEnd = InstallAnswer | ProcessEnd;

/** The content of a `package-lock.json`. */
export interface LockFile {
  readonly lockfileVersion: 3;
  readonly packages: { readonly [folder: string]: LockedPackage | { readonly dependencies: object } };
}
