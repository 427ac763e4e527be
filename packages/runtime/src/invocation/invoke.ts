import type { CommittedEvent } from "../events/committed-event.ts";
import type { EntryCall, ExecuteParts } from "./execute.ts";
import { executeTraced } from "./traced-execute.ts";
import { inSpan } from "../observe/in-span.ts";
import { monotonicMs, type Execution, type LoadedTrigger, type StoredEvent } from "@x/model";
import type { CachedSource, ExternalDb, SourceCache } from "./lane/source-cache.ts";
import type { GuestResponse } from "@x/sandbox";
import type { Settled } from "./settle.ts";
import type { Change, Store } from "@x/store";

export interface InvokeParts extends ExecuteParts {
  readonly store: Store;
  readonly sourceCache: SourceCache;
  readonly externalDb: ExternalDb | undefined;
  publish(events: readonly CommittedEvent[]): void;
}

/**
 * Runs one trigger: reads the source, calls the component, computes and commits all changes, notifies listeners. Must run
 * in the lane of the source. Rejects when the commit fails: nothing has changed then, and the trigger stays.
 */
export async function invoke(
  trigger: LoadedTrigger,
  parts: InvokeParts,
  respond?: (response: GuestResponse) => void,
): Promise<Execution> {
  const cached = await parts.sourceCache.get(trigger.sourceId);
  const settled = await executeTraced(cached, triggerCall(trigger, respond), parts);
  const endedAt = monotonicMs();
  const removal: Change = { op: "trigger.remove", id: trigger.id };
  const span = { kind: "internal", parent: settled.trace } as const;
  await inSpan(parts.tracing, "commit", span, () => commitSettled(cached, settled, [removal], parts));
  const { phases, execution } = settled;
  const { executionId } = execution;
  parts.observer.committed({ executionId, source: cached.source, ...phases, commitMs: monotonicMs() - endedAt });
  return execution;
}

/** The call of `run` for a trigger. */
export function triggerCall(trigger: LoadedTrigger, respond?: (response: GuestResponse) => void): EntryCall {
  const { id, type, event, at, httpProp, hops, ofError = false, origin, received, warnings } = trigger;
  return {
    executionId: id,
    entry: "run",
    type,
    event,
    at,
    ...(httpProp === undefined ? {} : { httpProp }),
    ...(hops > 0 ? { cause: { hops, ofError } } : {}),
    ...(origin && { origin }),
    ...(received && { received }),
    ...(warnings && { warnings }),
    ...(respond ? { respond } : {}),
  };
}

/** Commits a call and `more` in one transaction, then updates the source cache and notifies listeners. */
export async function commitSettled(
  cached: CachedSource,
  settled: Pick<Settled, "changes" | "events" | "next">,
  more: readonly Change[],
  parts: InvokeParts,
): Promise<void> {
  const { externalDb } = parts;
  const writes = settled.changes.some((change) => change.op === "db.set");
  if (externalDb && writes) await externalDb.flush(cached.source.id, settled.next.db);
  const changes = externalDb ? settled.changes.filter((change) => change.op !== "db.set") : settled.changes;
  const begun = monotonicMs();
  await parts.store.commit([...changes, ...more]);
  const commitMs = monotonicMs() - begun;
  Object.assign(cached, settled.next);
  parts.sourceCache.put(cached);
  parts.publish(settled.events.map((event: StoredEvent) => ({ event, source: cached.source })));
  parts.recorder.committed(changes, commitMs);
}
