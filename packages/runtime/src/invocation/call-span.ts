import { systemClock, type Execution } from "@x/model";
import type { Tracing } from "../observe/contract.ts";
import { withSpan } from "../observe/in-span.ts";
import type { EntryCall, ExecuteParts } from "./component-call.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import { tracedFetch } from "./traced-fetch.ts";

/** The traceparent of a call's span; absent without tracing. */
export interface Traced {
  readonly trace?: string | undefined;
}

/** The span that waited with the trigger: from its acceptance to now. */
function spanOfQueue({ at, executionId }: EntryCall, { now }: ExecuteParts, tracing: Tracing, parent?: string): void {
  const startedAt = systemClock.now() - Math.max(0, now() - at);
  const attributes = { "x.execution.id": executionId };
  tracing.begin("queue", { kind: "internal", parent, attributes, startedAt }).end();
}

/**
 * Does the work of a call in a span below the one that led to it, which its requests, its events and what these lead to
 * continue. Without tracing it only does the work.
 */
export async function inCallSpan<T extends { readonly execution: Execution }>(
  cached: CachedSource,
  call: EntryCall,
  parts: ExecuteParts,
  work: (call: EntryCall, parts: ExecuteParts) => Promise<T>,
): Promise<T & Traced> {
  const { tracing } = parts;
  if (!tracing) return work(call, parts);
  const { type, entry, executionId, origin, cause = { hops: 0, ofError: false } } = call;
  // A hook runs while its caller waits.
  const parent = origin?.trace ?? (type === "HOOK" ? tracing.active() : undefined);
  const attributes = { "x.source.id": cached.source.id, "x.execution.id": executionId, "x.type": type };
  const span = tracing.begin(entry === "run" ? "run" : `hook ${entry}`, { kind: "consumer", parent, attributes });
  const { traceparent: trace } = span;
  if (entry === "run") spanOfQueue(call, parts, tracing, parent ?? trace);
  const linked = { ...call, cause: { ...cause, trace } };
  const following = {
    ...parts,
    fetchFor: (caller, renewed) => tracedFetch(parts.fetchFor(caller, renewed), span, tracing),
  } satisfies ExecuteParts;
  const done = await withSpan(
    span,
    () => work(linked, following),
    ({ execution: { status, computeMs, emitted, deduped, error } }) => [
      { "x.status": status, "x.compute_ms": computeMs, "x.emitted": emitted.length, "x.dropped": deduped },
      error?.code,
    ],
  );
  return { ...done, trace };
}
