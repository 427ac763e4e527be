import { type ComponentWarning, type ObservedExecution, warningText } from "@x/runtime";

import type { Call } from "./traffic/calls.ts";
import { observedRun, type PlaceOf } from "./observed-run.ts";
import type { LogLine, Run } from "./records.ts";
import { callLine, linesOf, type TimelineEntry } from "./timeline.ts";

type Item =
  | { readonly kind: "step"; readonly at: number; readonly text: string }
  | { readonly kind: "run"; readonly run: Run }
  /** What is to be known of the component as it is deployed. */
  | { readonly kind: "warning"; readonly log: LogLine }
  /** Requests outside of `run` and hooks: those of options. */
  | { readonly kind: "calls"; readonly calls: readonly Call[] };

/** Everything that happened to a source, in its order. */
export interface Ledger {
  observe(observed: ObservedExecution): void;
  /** Notes what the test does. */
  step(at: number, text: string): void;
  /** Notes what is to be known of the component. */
  warn(at: number, warnings: readonly ComponentWarning[] | undefined): void;
  /** Takes up requests that no run made. */
  settle(): void;
  /** The calls of the component since `mark`, or all. */
  runs(mark?: number): readonly Run[];
  logs(): readonly LogLine[];
  calls(): readonly Call[];
  timeline(): readonly TimelineEntry[];
  mark(): number;
  /** What a step began came to nothing: the events of its runs, save those of `except`, were not kept. */
  discard(mark: number, except?: Run): void;
  clear(): void;
}

export function createLedger(takeCalls: () => Call[], placeOf: PlaceOf): Ledger {
  let items: Item[] = [];
  const runs = (from = 0): readonly Run[] =>
    items.slice(from).flatMap((item) => (item.kind === "run" ? [item.run] : []));
  return {
    observe(observed) {
      items.push({ kind: "run", run: observedRun(observed, takeCalls(), placeOf) });
    },
    step: (at, text) => void items.push({ kind: "step", at, text }),
    warn(at, warnings = []) {
      for (const warning of warnings) {
        const log: LogLine = {
          level: "warn",
          message: warningText(warning),
          data: [warning.path],
          entry: "deploy",
          at,
        };
        items.push({ kind: "warning", log });
      }
    },
    settle() {
      const calls = takeCalls();
      if (calls.length > 0) items.push({ kind: "calls", calls });
    },
    runs,
    logs: () =>
      items.flatMap((item) => (item.kind === "run" ? item.run.logs : item.kind === "warning" ? [item.log] : [])),
    calls: () =>
      items.flatMap((item) => (item.kind === "run" ? item.run.calls : item.kind === "calls" ? item.calls : [])),
    timeline: () =>
      items.flatMap((item): TimelineEntry[] => {
        if (item.kind === "run") return linesOf(item.run);
        if (item.kind === "step") return [{ at: item.at, kind: "step", text: item.text }];
        if (item.kind === "warning")
          return [{ at: item.log.at, kind: "log", text: `console.warn ${item.log.message}` }];
        return item.calls.map((call) => ({ at: call.at, kind: "call", text: callLine(call) }));
      }),
    mark: () => items.length,
    discard(from, except) {
      items = items.map((item, index) =>
        index < from || item.kind !== "run" || item.run === except
          ? item
          : { kind: "run", run: { ...item.run, emits: [], deduped: [], db: {} } },
      );
    },
    clear() {
      items = [];
    },
  };
}
