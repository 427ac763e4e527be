import { boundedCache, type Clock, type Limits, type Source } from "@x/model";
import { RunTrace } from "../invocation/run-trace.ts";
import type { ExecutionRecorder } from "../invocation/recorder-contract.ts";
import type { Change, ExecutionChange, KeptExecutions } from "@x/store";
import type { CommitTimes } from "./commit-times.ts";
import { abandonedRecord } from "./abandoned-run.ts";
import { recordInSteps, type RecordRules } from "./execution-record.ts";
import type { LiveExecutions } from "./live-executions.ts";
import { eventChars, recordBounds, traceBounds } from "./record-bounds.ts";

export interface RecorderParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly sources: RecordRules["sources"];
  readonly live: Pick<LiveExecutions, "publish">;
  readonly commitTimes: CommitTimes;
}

type KeptLimits = Pick<Limits, "executionsPerSource" | "failedExecutionsPerSource">;

/** How many executions of a source are kept: its setting, or the limit. */
export const keptOf = ({ settings }: Source, limits: KeptLimits): KeptExecutions => ({
  keep: settings.executions ?? limits.executionsPerSource,
  keepFailed: limits.failedExecutionsPerSource,
});

/** Sources whose additions since the last trim are counted; others are trimmed at their next execution. */
const countedSources = 10_000;
const minBetweenTrims = 8;

/** Executions of a source since its last trim. */
interface Added {
  readonly count: number;
  readonly bytes: number;
}

const none: Added = { count: 0, bytes: 0 };

export function createRecorder({ clock, limits, sources, live, commitTimes }: RecorderParts): ExecutionRecorder {
  const rules: RecordRules = { bounds: recordBounds, eventChars: eventChars(limits.httpBodyBytes), sources };
  const added = boundedCache<Added>(countedSources);

  /** A trim from time to time, so that most commits only add. */
  function trimOf(source: Source, bytes: number): ExecutionChange[] {
    const { keep, keepFailed } = keptOf(source, limits);
    const most = limits.executionBytesPerSource;
    const before = added.get(source.id);
    const sum = { count: (before?.count ?? 0) + 1, bytes: (before?.bytes ?? 0) + bytes };
    const isDue = !before || sum.count >= Math.max(minBetweenTrims, keep / 2) || sum.bytes >= most / 4;
    added.set(source.id, isDue ? none : sum);
    if (!isDue) return [];
    const mayExceed = !before || (sum.bytes / sum.count) * (keep + keepFailed) * 2 > most;
    return [{ op: "executions.trim", sourceId: source.id, keep, keepFailed, ...(mayExceed && { bytes: most }) }];
  }

  return {
    begin: (source) => (keptOf(source, limits).keep === 0 ? undefined : new RunTrace(clock.now(), traceBounds)),
    *record(cached, executed, settled, trace) {
      const ended = { cached, executed, settled, trace, endedAt: clock.now() };
      const execution = yield* recordInSteps(ended, rules);
      const changes: Change[] = [{ op: "execution.add", execution }];
      return changes.concat(trimOf(cached.source, execution.bytes));
    },
    *abandoned(run) {
      if (keptOf(run.source, limits).keep === 0) return [];
      const execution = yield* abandonedRecord(run, rules);
      return [{ op: "execution.add", execution }, ...trimOf(run.source, execution.bytes)];
    },
    committed(changes, commitMs) {
      for (const change of changes) {
        if (change.op !== "execution.add") continue;
        const { summary } = change.execution;
        commitTimes.add(summary.id, commitMs);
        live.publish(summary, commitTimes.find(summary.id));
      }
    },
    forget: (sourceId) => void added.delete(sourceId),
  };
}
