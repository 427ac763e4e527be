import { type Answer, refuseMethod } from "@x/http";
import type { Metrics } from "./metrics.ts";

/** The path of the metrics. */
export const metricsPath = "/metrics";

/** The answer to a request for the metrics. Throws `method_not_allowed`. */
export async function answerMetrics(method: string, metrics: Metrics): Promise<Answer> {
  if (method !== "GET" && method !== "HEAD") refuseMethod(method, ["GET", "HEAD"]);
  return {
    status: 200,
    headers: [
      ["content-type", metrics.contentType],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
    ],
    body: await metrics.text(),
  };
}
