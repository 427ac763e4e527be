import { isAbandoned } from "../inbox/abandonment.ts";
import {
  effectiveComponent,
  errorText,
  inSlices,
  monotonicMs,
  recordedError,
  type ErrorCode,
  type TriggerHead,
} from "@x/model";
import { errorEvent } from "./error-record.ts";
import type { TriggerEvents } from "../inbox/trigger-events.ts";
import type { ExecutionRecorder } from "../recorder-contract.ts";
import type { Change, Store } from "@x/store";

export interface AbandonParts {
  readonly store: Store;
  readonly triggerEvents: Pick<TriggerEvents, "load">;
  readonly recorder: Pick<ExecutionRecorder, "abandoned" | "committed">;
  readonly now: number;
}

/** Abandons triggers that were in flight at too many crashes, with an `$errors` record and a failed execution each. Resolves with the others. */
export async function abandonCrashers(
  triggers: readonly TriggerHead[],
  parts: AbandonParts,
  abandoned: (sourceId: string) => void,
): Promise<readonly TriggerHead[]> {
  for (const trigger of triggers.filter(({ crashes }) => isAbandoned(crashes))) {
    const message = errorText("trigger_abandoned", trigger.id, String(trigger.crashes));
    const removal: Change = { op: "trigger.remove", id: trigger.id };
    await abandon(trigger, { code: "trigger_abandoned", message }, [removal], parts);
    abandoned(trigger.sourceId);
  }
  return triggers.filter(({ crashes }) => !isAbandoned(crashes));
}

/**
 * Ends a trigger without a run: commits the changes that end it, an `$errors` record of the reason and a failed execution.
 * Forget the cached source afterwards.
 */
export async function abandon(
  head: TriggerHead,
  reason: { readonly code: ErrorCode; readonly message: string },
  ending: readonly Change[],
  parts: AbandonParts,
): Promise<void> {
  const changes = [...(await recordsOf(head, reason, parts)), ...ending];
  const begun = monotonicMs();
  await parts.store.commit(changes);
  parts.recorder.committed(changes, monotonicMs() - begun);
}

async function recordsOf(
  head: TriggerHead,
  reason: { readonly code: ErrorCode; readonly message: string },
  { store, triggerEvents, recorder, now }: AbandonParts,
): Promise<Change[]> {
  const [source, trigger] = await Promise.all([store.source(head.sourceId), triggerEvents.load(head)]);
  const component = source && (await store.component(source.componentId));
  if (!source || !component || !trigger) return [];
  const { heads } = await store.sourceState(source.id);
  const effective = effectiveComponent(component, source.dynamicProps);
  const failed = { ...trigger, executionId: trigger.id, entry: "run" };
  const at = { source, component: effective, head: heads.$errors };
  const event = await inSlices(errorEvent(at, failed, reason, now));
  const cause = { hops: trigger.hops, ofError: trigger.ofError ?? false };
  const error = recordedError(reason.code, reason.message);
  const executions = await inSlices(recorder.abandoned({ source, component: effective, trigger, error, at: now }));
  return [{ op: "event.add", event, ...(trigger.hops > 0 ? { cause } : {}) }, ...executions];
}
