import type { ExecutionSummary } from "@x/client";

import type { Query } from "../api/client.ts";

/** Which runs are listed; empty texts restrict nothing. */
export interface RunFilter {
  /** A source or workflow. */
  readonly source: string;
  readonly status: string;
  /** A text in the record of the run. */
  readonly q: string;
  readonly trigger: string;
  /** The least duration, ms. */
  readonly min_ms: string;
  /** `emitted`, `none` or `dropped`. */
  readonly events: string;
}

/** The filter in the address of a page. */
export function readRunFilter(query: URLSearchParams, source?: string): RunFilter {
  const of = (name: string): string => query.get(name) ?? "";
  return {
    source: source ?? of("source"),
    status: of("status"),
    q: of("q"),
    trigger: of("trigger"),
    min_ms: of("min_ms"),
    events: of("events"),
  };
}

/** What is asked from the service. */
export const queryOf = ({ source: _source, ...filter }: RunFilter): Query =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));

/** Whether anything but the source is restricted. */
export const isRestricted = (filter: RunFilter): boolean => Object.keys(queryOf(filter)).length > 0;

type Judged = Pick<ExecutionSummary, "status" | "trigger" | "duration_ms" | "emitted_count" | "deduped">;

/** Whether a run that has ended belongs to the list, as far as its summary tells: not its text. */
export function fits(run: Judged, { status, trigger, min_ms: least, events }: RunFilter): boolean {
  if (status === "failed" ? run.status === "ok" : status !== "" && run.status !== status) return false;
  if (trigger !== "" && run.trigger !== trigger) return false;
  if (run.duration_ms < Number(least)) return false;
  if (events === "emitted") return run.emitted_count > 0;
  if (events === "none") return run.emitted_count === 0;
  return events === "" || run.deduped > 0;
}
