import { type Logger, type PinoLike, type Runtime, toLogger } from "@x/runtime";

import { toResponse } from "../answer.ts";
import type { App } from "../app.ts";
import { failureAnswer, refusal } from "../failure.ts";
import { answerMetrics, metricsPath } from "./metrics-answer.ts";
import { createMetrics } from "./metrics.ts";

/**
 * Answers `GET /metrics` without a key, and nothing else: for a port of its own that only the collector can reach. `logger`
 * receives failures whose cause is hidden from callers.
 */
export function createMetricsApp(
  runtime: Pick<Runtime, "stats">,
  options: { readonly logger?: Logger | PinoLike } = {},
): App {
  const logger = toLogger(options.logger);
  const metrics = createMetrics(runtime);
  const answer: App["answer"] = async ({ url, method }) => {
    try {
      if (new URL(url).pathname === metricsPath) return await answerMetrics(method, metrics);
      return refusal(404, "not_found", `This path does not exist; the metrics are at ${metricsPath}.`);
    } catch (error) {
      return failureAnswer(error, (cause) => logger.error("the metrics could not be read", { error: String(cause) }));
    }
  };
  return {
    answer,
    fetch: async (request) => toResponse(request.method, await answer(request)),
    drain: () => undefined,
  };
}
