import type { Metric } from "./exposition.ts";

/** What the process uses. Times are in seconds. */
export interface ProcessUse {
  readonly cpu: { readonly user: number; readonly system: number };
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly externalBytes: number;
  /** Delays of the event loop since they were last read. */
  readonly loopDelay: { readonly mean: number; readonly p50: number; readonly p99: number; readonly max: number };
  /** Epoch seconds. */
  readonly startedAt: number;
}

const metric =
  (type: "counter" | "gauge") =>
  (name: string, help: string, value: number): Metric => ({ name, help, type, samples: [{ value }] });
const gauge = metric("gauge");
const counter = metric("counter");

/** The metrics of the process, under the names that clients of Prometheus for Node use. */
export const processMetrics = ({ cpu, loopDelay, ...use }: ProcessUse): readonly Metric[] => [
  counter("process_cpu_user_seconds_total", "User CPU time of the process.", cpu.user),
  counter("process_cpu_system_seconds_total", "System CPU time of the process.", cpu.system),
  gauge("process_start_time_seconds", "When the process started, in epoch seconds.", use.startedAt),
  gauge("process_resident_memory_bytes", "Memory of the process, sandboxes included.", use.residentBytes),
  gauge("nodejs_heap_size_used_bytes", "Used heap of the main thread.", use.heapUsedBytes),
  gauge("nodejs_heap_size_total_bytes", "Heap of the main thread.", use.heapTotalBytes),
  gauge("nodejs_external_memory_bytes", "Memory of buffers and other objects outside of that heap.", use.externalBytes),
  gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last reading.", loopDelay.mean),
  gauge("nodejs_eventloop_lag_p50_seconds", "Its median.", loopDelay.p50),
  gauge("nodejs_eventloop_lag_p99_seconds", "Its 99th percentile.", loopDelay.p99),
  gauge("nodejs_eventloop_lag_max_seconds", "Its maximum.", loopDelay.max),
];
