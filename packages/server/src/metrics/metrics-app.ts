import { checkOptions, type Logger, type PinoLike, rule, type Rules, type Runtime, toLogger, XError } from "@x/runtime";

import { toResponse, failureAnswer, refusal, ownHosts } from "@x/http";
import type { App } from "../app.ts";
import { answerMetrics, metricsPath } from "./metrics-answer.ts";
import { createMetrics } from "./metrics.ts";

export interface MetricsAppOptions {
  /**
   * Names under which collectors ask, beside addresses and `localhost`; "any" for all. Default: none, so that no page in a
   * browser reads the metrics under a name of its own that leads to this address.
   */
  readonly hosts?: readonly string[] | "any";
  /** Receives failures whose cause is hidden from callers. */
  readonly logger?: Logger | PinoLike;
}

const rules: Rules<MetricsAppOptions> = {
  hosts: rule.of('a list of host names, or "any"', (value) => value === "any" || Array.isArray(value)),
  logger: rule.having("info", "warn", "error"),
};

/**
 * Answers `GET /metrics` without a key, and nothing else: for a port of its own that only the collector can reach. Throws
 * `invalid_options`.
 */
export function createMetricsApp(runtime: Pick<Runtime, "stats">, options: MetricsAppOptions = {}): App {
  checkOptions(options, rules);
  const { hosts = [] } = options;
  const logger = toLogger(options.logger);
  const metrics = createMetrics(runtime);
  const isOwn = hosts === "any" ? () => true : ownHosts(hosts);
  const answer: App["answer"] = async ({ url, method, headers }) => {
    try {
      const host = headers.get("host");
      if (!isOwn(host))
        throw new XError("foreign_request", [
          "Host",
          "an address of this service",
          JSON.stringify(host?.slice(0, 100)),
        ]);
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
