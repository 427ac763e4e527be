import type { Trace } from "./collected.ts";
import type { HookName, ObservedExecution } from "@x/model";
import type { CachedSource } from "./lane/source-cache.ts";
import { rememberedId } from "./remembered-id.ts";
import type { Executed, Settled } from "./settle.ts";

/** Requests without secrets. */
export const shownCalls = (calls: Trace["calls"], mask: Settled["mask"]): ObservedExecution["calls"] =>
  calls.map(({ method, url, status, error }) => ({
    method,
    url: mask.text(url),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error: mask.text(error) }),
  }));

/** The details of an ended call of `run` or of a hook. */
export function observation(
  cached: CachedSource,
  executed: Executed,
  settled: Settled,
  { steps, calls }: Trace,
): ObservedExecution {
  return {
    source: cached.source,
    // Calls of `options` and the like are observed as questions.
    entry: executed.entry as "run" | HookName,
    type: executed.type,
    event: executed.event,
    at: executed.at,
    execution: settled.execution,
    emitted: settled.events.filter(({ stream }) => stream === "emits"),
    dropped: settled.dropped.map(({ emit: { at: _at, ...emit }, reason }) => ({
      ...emit,
      reason,
      ...rememberedId(cached.dedupe, emit.name ?? ""),
    })),
    db: new Map(
      settled.changes.flatMap((change) =>
        change.op === "db.set" ? [[change.key, change.value] satisfies [string, string | undefined]] : [],
      ),
    ),
    dataStores: settled.changes.flatMap((change) =>
      change.op === "data_store.set" ? [{ name: change.name, key: change.key, value: change.value }] : [],
    ),
    steps,
    calls: shownCalls(calls, settled.mask),
  };
}
