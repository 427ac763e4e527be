import type { Problem } from "../../model/errors.ts";
import type { ComponentPackage } from "../../model/package-lock.ts";
import type { PackageRequest } from "../../packages/contract.ts";
import type { Seen } from "../imports/disk.ts";
import type { AbsentImport, MissingFile } from "../contract.ts";

/** How packages get into a build. */
export interface BuildPackages {
  /** Conditions of package.json that hold. */
  readonly conditions: "browser" | "node";
  /** What was installed for the component; absent before it is known what it needs. */
  readonly installed?: {
    readonly folder: string;
    readonly key: string;
    /** Folder of the package by specifier. */
    readonly requests: { readonly [specifier: string]: string };
  };
}

/** One build, as the host asks its bundling process for it. Without `packages` every import of one is refused. */
export type BuildRequest = BuildCode & { readonly packages?: BuildPackages | undefined };

export type BuildCode =
  | { readonly code: string; readonly codeBytes: number }
  | {
      readonly file: string;
      readonly root: string | undefined;
      readonly codeBytes: number;
      /** URL of a module that gives the code to bundle in place of each file. */
      readonly instrument?: string | undefined;
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
  /** The line with a mark under the place. */
  readonly frame?: string;
}

/** An import of something that is not the component's own. */
export interface UnresolvedImport {
  readonly package: string;
  readonly specifier: string;
  readonly importer: string;
  readonly reason: string;
  /** Absent: it cannot be found. */
  readonly why?: "native" | "refused";
}

/** An import by another of the component's files, and the file that it led to; `place` as in `Found`. */
export type ImportLink = readonly [specifier: string, importer: string, name: string, place?: string];

/** What a build depends on that may be different the next time. */
export interface BuildBasis extends Seen {
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
      /** Packages of the author's own `node_modules`. */
      readonly ofProject: readonly ComponentPackage[];
      readonly absent: readonly AbsentImport[];
      /** Where something is awaited at the top level of a module, as `file:line:column`. */
      readonly awaits?: readonly string[];
      /** What relative imports of the author's own files led to. */
      readonly links: readonly ImportLink[];
      /** Names of each package.json that was looked for; not all of them are there. */
      readonly manifests: readonly string[];
      /** Absent: the build depends on more than the author's disk. */
      readonly basis?: BuildBasis;
    }
  /** Packages have to be installed first. */
  | { readonly kind: "needed"; readonly needed: readonly PackageRequest[] }
  | { readonly kind: "missing"; readonly missing: readonly MissingFile[] }
  | {
      readonly kind: "failed";
      readonly name: string;
      readonly unresolved?: UnresolvedImport;
      readonly problems: readonly BundleProblem[];
    }
  /** The bundler itself does not work here. */
  | { readonly kind: "broken"; readonly message: string };
