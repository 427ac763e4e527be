import { triggers } from "@x/resources";
import type { Histogram, RuntimeStats, SourceType } from "@x/runtime";

import type { Metric, Sample } from "./exposition.ts";

const second = 1_000;

/** A histogram of milliseconds in seconds, the unit of Prometheus. */
const inSeconds = ({ bounds, counts, count, sum }: Histogram): Histogram => ({
  bounds: bounds.map((bound) => bound / second),
  counts,
  count,
  sum: sum / second,
});

/** One sample for each name. */
const samplesOf = (label: string, values: { readonly [name: string]: number }): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));

function runMetrics({ invocations, phases, computeMs, emitted, dropped, changes }: RuntimeStats): Metric[] {
  return [
    {
      name: "x_invocations_total",
      help: "Runs and hooks that ended, by what triggered them and by outcome.",
      type: "counter",
      samples: Object.entries(invocations).flatMap(([type, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({
          labels: { trigger: triggers[type as SourceType], outcome },
          value,
        })),
      ),
    },
    {
      name: "x_invocation_phase_seconds",
      help: "Phases of runs: queued until the start, sandbox with the wait for a thread, commit.",
      type: "histogram",
      samples: Object.entries(phases).map(([phase, histogram]) => ({
        labels: { phase },
        histogram: inSeconds(histogram),
      })),
    },
    {
      name: "x_compute_seconds_total",
      help: "Time spent executing code of components.",
      type: "counter",
      samples: [{ value: computeMs / second }],
    },
    {
      name: "x_emits_total",
      help: "Events that components emitted and dedupe let pass.",
      type: "counter",
      samples: [{ value: emitted }],
    },
    {
      name: "x_emits_dropped_total",
      help: "Events that dedupe dropped, by reason.",
      type: "counter",
      samples: samplesOf("reason", dropped),
    },
    {
      name: "x_source_changes_total",
      help: "Changes of sources that were stored.",
      type: "counter",
      samples: samplesOf("change", changes),
    },
  ];
}

function waitingMetrics({ queue, deliveries }: RuntimeStats): Metric[] {
  const { waiting, running, bytes } = queue;
  return [
    {
      name: "x_queue_triggers",
      help: "Triggers in the inboxes of all sources, waiting or running.",
      type: "gauge",
      samples: samplesOf("state", { waiting, running }),
    },
    {
      name: "x_queue_bytes",
      help: "Bytes of these triggers, plus 2 KiB for each.",
      type: "gauge",
      samples: [{ value: bytes }],
    },
    {
      name: "x_delivery_attempts_total",
      help: "Attempts to deliver to webhooks: delivered, retried later, or dead after the last one.",
      type: "counter",
      samples: samplesOf("outcome", deliveries.attempts),
    },
    {
      name: "x_delivery_attempt_seconds",
      help: "Duration of these attempts.",
      type: "histogram",
      samples: [{ histogram: inSeconds(deliveries.attemptMs) }],
    },
    {
      name: "x_deliveries_pending",
      help: "Deliveries that wait for an attempt, those of inactive webhooks included.",
      type: "gauge",
      samples: [{ value: deliveries.pending }],
    },
    {
      name: "x_deliveries_oldest_pending_seconds",
      help: "Age of the oldest of them; 0 for none.",
      type: "gauge",
      samples: [{ value: deliveries.oldestMs / second }],
    },
  ];
}

function engineMetrics({ commits, sandbox, threadHolds }: RuntimeStats): Metric[] {
  return [
    {
      name: "x_commits_total",
      help: "Commits of the store; a failed one changed nothing.",
      type: "counter",
      samples: samplesOf("outcome", { ok: commits.done, failed: commits.failed }),
    },
    {
      name: "x_commit_batch_size",
      help: "Commits in one transaction.",
      type: "histogram",
      samples: [{ histogram: commits.batches }],
    },
    {
      name: "x_commit_batch_seconds",
      help: "Duration of one transaction.",
      type: "histogram",
      samples: [{ histogram: inSeconds(commits.batchMs) }],
    },
    {
      name: "x_sandbox_calls_total",
      help: "Calls of components, those for options of props included; image: hit when the evaluated module was at hand.",
      type: "counter",
      samples: samplesOf("image", {
        hit: Math.max(0, sandbox.calls - sandbox.imageMisses),
        miss: sandbox.imageMisses,
      }),
    },
    {
      name: "x_sandbox_threads",
      help: "Threads of the sandbox that can run calls.",
      type: "gauge",
      samples: [{ value: sandbox.threads }],
    },
    {
      name: "x_sandbox_thread_starts_total",
      help: "Threads of the sandbox that were started.",
      type: "counter",
      samples: [{ value: sandbox.threadStarts }],
    },
    {
      name: "x_sandbox_thread_kills_total",
      help: "Threads that were ended because of the component inside, or that ended under one.",
      type: "counter",
      samples: [{ value: sandbox.threadKills }],
    },
    {
      name: "x_main_thread_holds_total",
      help: "Times that one piece of work held the main thread for 250 ms or more; the log says which.",
      type: "counter",
      samples: [{ value: threadHolds }],
    },
  ];
}

/** The metrics of a runtime. Labels are fixed words: no ids, names or values of users. */
export const runtimeMetrics = (stats: RuntimeStats): readonly Metric[] => [
  ...runMetrics(stats),
  ...waitingMetrics(stats),
  ...engineMetrics(stats),
];
