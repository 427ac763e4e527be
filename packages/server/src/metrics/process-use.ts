import { monitorEventLoopDelay, performance } from "node:perf_hooks";

import type { ProcessUse } from "./process-metrics.ts";

const microsecond = 1e-6;
const nanosecond = 1e-9;
const resolutionMs = 10;

/** Measures the process from the first reading on; before it, nothing is measured. */
export function createProcessUse(): () => ProcessUse {
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

  function readDelays(): ProcessUse["loopDelay"] {
    if (!delays) {
      delays = monitorEventLoopDelay({ resolution: resolutionMs });
      delays.enable();
    }
    // The measured intervals contain the one between measurements, which is no delay.
    const inSeconds = (ns: number): number =>
      Math.max(0, Number.isFinite(ns) ? ns * nanosecond - resolutionMs / 1_000 : 0);
    const measured = {
      mean: inSeconds(delays.mean),
      p50: inSeconds(delays.percentile(50)),
      p99: inSeconds(delays.percentile(99)),
      max: inSeconds(delays.max),
    };
    delays.reset();
    return measured;
  }

  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    return {
      cpu: { user: user * microsecond, system: system * microsecond },
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      heapTotalBytes: heapTotal,
      externalBytes: external,
      loopDelay: readDelays(),
      startedAt: performance.timeOrigin / 1_000,
    };
  };
}
