import type { Problem } from "../errors.ts";
import type { MissingFile } from "./contract.ts";

/** One build, as the host asks its bundling process for it. */
export type BuildRequest =
  | { readonly code: string; readonly codeBytes: number }
  | { readonly file: string; readonly root: string | undefined; readonly codeBytes: number }
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
}

export type BuildReply =
  | {
      readonly kind: "built";
      readonly bundle: string;
      readonly sourceMap: string;
      readonly code: string;
      readonly contentHash: string;
      readonly files: readonly string[];
    }
  | { readonly kind: "missing"; readonly missing: readonly MissingFile[] }
  | {
      readonly kind: "failed";
      readonly name: string;
      readonly unresolved?: UnresolvedImport;
      readonly problems: readonly BundleProblem[];
    }
  /** The bundler itself does not work here. */
  | { readonly kind: "broken"; readonly message: string };
