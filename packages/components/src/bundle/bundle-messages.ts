import type { ComponentPackage, ComponentWarning, Problem } from "@x/model";
import type { PackageRequest } from "../packages/contract.ts";
import type { DiskRecord } from "../imports/disk.ts";
import type { AbsentImport, Bundled, MissingFile } from "../contract.ts";
import type { Declared } from "../declared/contract.ts";

/** Packages of a build. */
export interface BuildPackages {
  /** Conditions for `exports` of a package.json. */
  readonly conditions: "browser" | "node";
  /** Installed packages; absent before the needed packages are known. */
  readonly installed?: {
    readonly folder: string;
    readonly key: string;
    /** Folder of the package by specifier. */
    readonly requests: { readonly [specifier: string]: string };
  };
}

/** The message to a bundling process that starts a build. Without `packages` every import of one is refused. */
export type BuildRequest = BuildCode & { readonly packages?: BuildPackages | undefined };

/** The message to a bundling process that reads files by parsing them alone. */
export interface DeclareRequest {
  readonly declare: readonly string[];
}

export interface DeclareReply {
  readonly kind: "declared";
  /** In the order of the files. */
  readonly declared: readonly Declared[];
}

export type BuildCode =
  | { readonly code: string; readonly codeBytes: number }
  | {
      readonly file: string;
      readonly root: string | undefined;
      readonly codeBytes: number;
      /** URL of a module that instruments each file. */
      readonly instrument?: string | undefined;
    }
  | {
      readonly entry: string;
      readonly sent: readonly (readonly [name: string, text: string])[];
      readonly codeBytes: number;
    }
  | {
      readonly entry: string;
      readonly texts: readonly (readonly [name: string, text: string])[];
      readonly links: readonly (readonly [asked: string, name: string])[];
    };

/** A problem in the author's code; `line` and `column` count from 1. */
export interface BundleProblem extends Problem {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The line with a mark under the position. */
  readonly frame?: string;
}

/** An import of a package or built-in that failed. */
export interface UnresolvedImport {
  readonly package: string;
  readonly specifier: string;
  readonly importer: string;
  readonly reason: string;
  /** Absent: not found. */
  readonly why?: "native" | "refused";
}

/** A relative import and the name of the file that it resolved to, empty for none; `via` as in `Found`. */
export type ImportLink = readonly [specifier: string, importer: string, name: string, via?: string];

/** Everything that a build depends on and that may change. */
export interface BuildBasis extends DiskRecord {
  /** SHA-256 of each file's text, by name. */
  readonly hashes: { readonly [name: string]: string };
}

export type BuildReply =
  | {
      readonly kind: "built";
      readonly bundle: string;
      readonly sourceMap: string;
      readonly code: string;
      readonly contentHash: string;
      readonly files: readonly string[];
      /** Packages from the author's `node_modules`. */
      readonly ofProject: readonly ComponentPackage[];
      readonly absent: readonly AbsentImport[];
      /** Where something is awaited at the top level of a module, as `file:line:column`. */
      readonly awaits?: readonly string[];
      /** The process has built a large package, and should end to free its memory. */
      readonly isLarge?: boolean;
      /** Results of the relative imports of the author's files. */
      readonly links: readonly ImportLink[];
      /** Names of each package.json and tsconfig.json that was looked for, also missing ones. */
      readonly manifests: readonly string[];
      readonly tsconfig?: NonNullable<Bundled["tsconfig"]>;
      readonly warnings?: readonly ComponentWarning[];
      /** Absent: the build depends on more than the author's disk. */
      readonly basis?: BuildBasis;
    }
  /** Packages must be installed first. */
  | {
      readonly kind: "needed";
      readonly needed: readonly PackageRequest[];
      /** As of a finished build. */
      readonly files: readonly string[];
      readonly manifests: readonly string[];
      readonly tsconfig?: NonNullable<Bundled["tsconfig"]>;
      /** What may be the reason when a package is not found. */
      readonly hint?: string;
    }
  | { readonly kind: "missing"; readonly missing: readonly MissingFile[] }
  | {
      readonly kind: "failed";
      readonly name: string;
      readonly unresolved?: UnresolvedImport;
      /** What may be the reason. */
      readonly hint?: string;
      readonly problems: readonly BundleProblem[];
    }
  /** The bundler itself failed. */
  | { readonly kind: "broken"; readonly message: string };
