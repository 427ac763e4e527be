import { parseTraceparent } from "./traceparent.ts";

/**
 * The parent of a request's span: what the request says, unless the embedder's active span continues that trace already.
 */
export function nearestTrace(given: string | undefined, active: string | undefined): string | undefined {
  if (given === undefined || active === undefined) return given ?? active;
  return parseTraceparent(active)?.traceId === parseTraceparent(given)?.traceId ? active : given;
}
