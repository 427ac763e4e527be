/** How bad it is: `error` does not work, `warning` may surprise, `info` could be better. */
export type Severity = "error" | "warning" | "info";

/** One thing that can be said about a component without running it. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The prop it is about. */
  readonly prop?: string;
  /** Where it stands in the author's files, when that is certain; lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A finding with its place in the bundle, as characters from its start. */
export interface FoundInBundle extends Finding {
  readonly at?: number;
}
