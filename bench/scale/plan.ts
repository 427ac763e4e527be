/** What a process of `bench/scale` measures, and what it reports. */
export interface ScalePlan {
  readonly kind: "distinct" | "sources";
  readonly folder: string;
  /** Distinct components. */
  readonly components: number;
  /** Sources: one for each component, or many for each. */
  readonly sources: number;
}

/** A point of the curves. */
export interface ScalePoint {
  readonly sources: number;
  /** Resident bytes of the process, after garbage collection. */
  readonly resident: number;
  readonly deployMs: number;
  readonly listMs: number;
}

export interface ScaleReport {
  readonly points: readonly ScalePoint[];
  /** From createRuntime to the first result of a run, in a new process. */
  readonly restartMs: number;
  /** The same process, after its restart. */
  readonly restarted: number;
  /** After each of up to 1,000 sources has run once at the same time, and again when it has been idle. */
  readonly burst: { readonly sources: number; readonly peak: number; readonly after: number };
}

/** Message between the processes of `bench/scale`. */
export type ScaleMessage =
  | { readonly filled: readonly ScalePoint[] }
  | { readonly restarted: Omit<ScaleReport, "points"> };
