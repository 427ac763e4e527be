/** What one process of a measurement is to do. */
export interface NodePlan {
  readonly engine: "x" | "sqlite" | "pg-boss" | "graphile-worker";
  /** Of the database; for SQLite, a folder. */
  readonly place: string;
  readonly schema: string;
  /** So many processes share the work. */
  readonly nodes: number;
  readonly sources: number;
  readonly jobs: number;
}

/** One way to run stored jobs: one at a time of each source, in order, each with its writes in one transaction. */
export interface Engine {
  /** Stores jobs for all sources by turns. */
  enqueue(): Promise<void>;
  /** Takes its share of the work; the other processes do so at the same time. */
  join(): Promise<void>;
  /** Runs jobs until then or until none is left; resolves with their number. */
  run(until: number): Promise<number>;
  close(): Promise<void>;
}

/** Answer of a process to an order. */
export interface NodeReport {
  readonly handled: number;
  readonly ms: number;
  readonly cpuMicroseconds: number;
}

/** What a process is ordered to do. */
export type Order = { readonly open: NodePlan } | "enqueue" | "join" | { readonly runMs: number } | "close";

/** The name of a source; an id of the runtime, so that its slot is like any other. */
export const sourceName = (index: number): string => `dc_bench${String(index).padStart(5, "0")}`;

/** What each job emits and is delivered. */
export const payload: string = JSON.stringify({ title: "An event", body: "x".repeat(370) });
/** What each job logs. */
export const logRecord: string = JSON.stringify({ k: "log", msg: "a line of the log of this run" });
