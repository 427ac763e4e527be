import type { Runtime } from "@x/runtime";

import { expositionType, formatMetrics } from "./exposition.ts";
import { processMetrics } from "./process-metrics.ts";
import { createProcessUse } from "./process-use.ts";
import { runtimeMetrics } from "./runtime-metrics.ts";

/** The metrics of a runtime and its process, in the text format of Prometheus. */
export interface Metrics {
  /** The media type of the text. */
  readonly contentType: string;
  /** Rejects with `closed` after the end of the runtime. */
  text(): Promise<string>;
}

/** Metrics of all users of the runtime. Nothing is computed before `text` is called; the event loop is watched from then on. */
export function createMetrics(runtime: Pick<Runtime, "stats">): Metrics {
  const readUse = createProcessUse();
  return {
    contentType: expositionType,
    text: async () => formatMetrics([...runtimeMetrics(await runtime.stats()), ...processMetrics(readUse())]),
  };
}
