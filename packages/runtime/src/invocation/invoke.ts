import type { CommittedEvent } from "../events/committed-event.ts";
import { callComponent, type EntryCall, type ExecuteParts } from "./component-call.ts";
import { inCallSpan, type Traced } from "./call-span.ts";
import { inSpan } from "../observe/in-span.ts";
import { inSlices, monotonicMs, type Execution, type HookName, type LoadedTrigger, type StoredEvent } from "@x/model";
import type { CachedSource, ExternalDb, SourceCache } from "./lane/source-cache.ts";
import type { TriggerRow } from "./inbox/trigger-row.ts";
import { observation } from "./observation.ts";
import { sourceMapFor } from "./records/report.ts";
import type { GuestResponse } from "@x/sandbox";
import { type Executed, type Settled, settleInSteps } from "./settle.ts";
import type { Change, Store } from "@x/store";
import type { RunPhases } from "../api/observe-api.ts";

export interface InvokeParts extends ExecuteParts {
  readonly store: Store;
  readonly sourceCache: SourceCache;
  readonly externalDb: ExternalDb | undefined;
  publish(events: readonly CommittedEvent[]): void;
}

/** A settled call, and how long its phases took. */
export interface Performed extends Settled, Traced {
  readonly phases: RunPhases;
}

/**
 * Runs one trigger: reads the source, calls the component, computes and commits all changes, notifies listeners. Must run
 * in the lane of the source. Rejects when the commit fails: nothing has changed then, and the trigger stays.
 */
export async function invoke(
  trigger: LoadedTrigger,
  row: Pick<TriggerRow, "end">,
  parts: InvokeParts,
  respond?: (response: GuestResponse) => void,
): Promise<Execution> {
  const cached = await parts.sourceCache.get(trigger.sourceId);
  const settled = await execute(cached, triggerCall(trigger, respond), parts);
  const endedAt = monotonicMs();
  const span = { kind: "internal", parent: settled.trace } as const;
  await inSpan(parts.tracing, "commit", span, () => row.end((ending) => commitSettled(cached, settled, ending, parts)));
  const { phases, execution } = settled;
  const { executionId } = execution;
  parts.observer.committed({ executionId, source: cached.source, ...phases, commitMs: monotonicMs() - endedAt });
  return execution;
}

/** Calls one entry of a source, computes its changes, and records the execution. Commits nothing. */
export function execute(cached: CachedSource, entryCall: EntryCall, executeParts: ExecuteParts): Promise<Performed> {
  return inCallSpan(cached, entryCall, executeParts, async (call, parts) => {
    const { observer, recorder, callRules } = parts;
    const { source } = cached;
    const { executionId, type, at } = call;
    // Calls of `options` and `additionalProps` are not executed here.
    const observed = { source, entry: call.entry as "run" | HookName, type };
    observer.started({ ...observed, executionId, at });

    const called = await callComponent(cached, call, parts);
    await call.turnToSettle?.();

    const rules = parts.settleRules();
    const { collected, outcome, trace, runTrace, phases } = called;
    const logs = collected.logs.records(outcome.droppedLogs ?? 0);
    const sourceMap = await sourceMapFor(cached, { logs, error: outcome.error, left: outcome.left }, callRules.text);
    const executed: Executed = { ...call, collected, outcome, sourceMap, auth: called.auth };
    observer.working("the end of a run", source.id);
    const settled = await inSlices(settleInSteps(cached, executed, rules));

    const { execution, dropped, changes } = settled;
    observer.counted({ ...observed, execution, dropped });
    if (trace) observer.ended?.(observation(cached, executed, settled, trace));
    if (runTrace) {
      observer.working("the record of a run", source.id);
      changes.push(...(await inSlices(recorder.record(cached, executed, settled, runTrace))));
    }
    return { ...settled, phases };
  });
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
