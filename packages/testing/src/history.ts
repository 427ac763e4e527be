import {
  type ComponentShape,
  type ComponentWarning,
  type EventCheck,
  type ObservedExecution,
  warningText,
} from "@x/runtime";

import { declaredCheck, emitWarnings } from "./emit-warnings.ts";
import { observedRun } from "./observed-run.ts";
import type { LogLine, Run } from "./records.ts";
import { callLine, linesOf, type TimelineEntry } from "./timeline.ts";
import type { Call } from "./traffic/calls.ts";

/** A run, a step of the test, a warning about the component, or requests outside of runs. */
interface Item {
  readonly run?: Run;
  readonly logs?: readonly LogLine[];
  readonly calls?: readonly Call[];
  lines(): readonly TimelineEntry[];
}

const runItem = (run: Run): Item => ({ run, logs: run.logs, calls: run.calls, lines: () => linesOf(run) });

function warningItem(at: number, warning: ComponentWarning): Item {
  const message = warningText(warning);
  return {
    logs: [{ level: "warn", message, data: [warning.path], entry: "deploy", at }],
    lines: () => [{ at, kind: "log", text: `console.warn ${message}` }],
  };
}

/** Everything that happened to the source or workflow under test, in order. */
export interface TestHistory {
  observe(observed: ObservedExecution): void;
  /** Adds a step of the test; `at` is epoch ms on the test's clock. */
  addStep(at: number, text: string): void;
  /** Adds a component's warnings. Later events are checked against the schema that it declares. */
  addComponent(at: number, shape: ComponentShape | undefined): void;
  addWarnings(at: number, warnings: readonly ComponentWarning[] | undefined): void;
  /** Adds requests made outside of runs, by `options` methods. */
  addRemainingCalls(): void;
  /** Runs since `mark`; all runs by default. */
  runs(mark?: number): readonly Run[];
  logs(): readonly LogLine[];
  calls(): readonly Call[];
  timeline(): readonly TimelineEntry[];
  /** The current position, for `runs` and `discard`. */
  mark(): number;
  /** Clears the emits, deduped events and db changes of the runs since `mark`, except those of `except`: the runtime has rolled their change back. */
  discard(mark: number, except?: Run): void;
  clear(): void;
}

/** `withPaths` makes the file names in a stack absolute. */
export function createHistory(takeCalls: () => Call[], withPaths: (stack: string) => string): TestHistory {
  let items: Item[] = [];
  let check: EventCheck | undefined;
  const addWarnings = (at: number, warnings: readonly ComponentWarning[] = []): void =>
    void items.push(...warnings.map((warning) => warningItem(at, warning)));
  return {
    observe(observed) {
      const run = observedRun(observed, takeCalls(), withPaths);
      items.push(runItem(check ? { ...run, logs: [...run.logs, ...emitWarnings(run, check)] } : run));
    },
    addStep: (at, text) => void items.push({ lines: () => [{ at, kind: "step", text }] }),
    addComponent(at, shape) {
      addWarnings(at, shape?.warnings);
      check = declaredCheck(shape?.emits);
    },
    addWarnings,
    addRemainingCalls() {
      const calls = takeCalls();
      const lines = (): TimelineEntry[] => calls.map((call) => ({ at: call.at, kind: "call", text: callLine(call) }));
      if (calls.length > 0) items.push({ calls, lines });
    },
    runs: (mark = 0) => items.slice(mark).flatMap(({ run }) => run ?? []),
    logs: () => items.flatMap(({ logs = [] }) => logs),
    calls: () => items.flatMap(({ calls = [] }) => calls),
    timeline: () => items.flatMap((item) => item.lines()),
    mark: () => items.length,
    discard(mark, except) {
      items = items.map((item, index) =>
        index < mark || !item.run || item.run === except
          ? item
          : runItem({ ...item.run, emits: [], deduped: [], db: {} }),
      );
    },
    clear() {
      items = [];
    },
  };
}
