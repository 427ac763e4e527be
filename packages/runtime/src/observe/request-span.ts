import type { RequestSpan, RequestSpanOptions } from "../api/observe-api.ts";
import type { Tracing } from "./contract.ts";
import { nearestTrace } from "./nearest-trace.ts";
import { traceparentOf } from "./traceparent.ts";

/** Begins the span of a request that an embedder serves; undefined without tracing. */
export function beginRequestSpan(
  tracing: Tracing | undefined,
  name: string,
  { traceparent, attributes }: RequestSpanOptions,
): RequestSpan | undefined {
  if (!tracing) return undefined;
  const given = traceparent === undefined ? undefined : traceparentOf([["traceparent", traceparent]]);
  return tracing.begin(name, { kind: "server", parent: nearestTrace(given, tracing.active()), attributes });
}
