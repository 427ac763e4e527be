import { crashLimit } from "../inbox/crash-limits.ts";
import { errorText } from "../../model/error-catalogue/catalogue.ts";
import { recordedError } from "../../model/error-catalogue/guest-error.ts";
import { effectiveComponent } from "../../model/effective-component.ts";
import { nextEventId } from "../../model/event-id.ts";
import { newSortableId } from "../../process/ids.ts";
import { errorRecord } from "./error-record.ts";
import type { ErrorCode } from "../../model/errors.ts";
import type { LoadedTrigger, StoredEvent, TriggerHead } from "../../model/model.ts";
import { secretMask } from "../secrets/secret-mask.ts";
import type { Change, Store } from "../../store/contract.ts";

export interface AbandonParts {
  readonly store: Store;
  read(head: TriggerHead): Promise<LoadedTrigger | undefined>;
  readonly now: number;
}

/** Splits what a former process left behind into triggers to run and triggers to give up; the latter become `$errors` records. */
export async function abandonCrashers(
  triggers: readonly TriggerHead[],
  parts: AbandonParts,
  abandoned: (sourceId: string) => void,
): Promise<readonly TriggerHead[]> {
  for (const trigger of triggers.filter(({ crashes }) => crashes >= crashLimit)) {
    const text = errorText("trigger_abandoned", trigger.id, String(trigger.crashes));
    await parts.store.commit(await abandon(trigger, { code: "trigger_abandoned", text }, parts));
    abandoned(trigger.sourceId);
  }
  return triggers.filter(({ crashes }) => crashes < crashLimit);
}

/** What takes a trigger out of the inbox without a run: an `$errors` record says why. The cached source is stale then. */
export async function abandon(
  head: TriggerHead,
  reason: { readonly code: ErrorCode; readonly text: string },
  { store, read, now }: AbandonParts,
): Promise<Change[]> {
  const remove: Change = { op: "trigger.remove", id: head.id };
  const [source, trigger] = await Promise.all([store.source(head.sourceId), read(head)]);
  const component = source && (await store.component(source.componentId));
  if (!source || !component || !trigger) return [remove];
  const { heads } = await store.sourceState(source.id);
  const mask = secretMask(effectiveComponent(component, source.dynamicProps), source, {});
  const error = recordedError(reason.code, reason.text);
  const event: StoredEvent = {
    emitterId: source.id,
    stream: "$errors",
    id: nextEventId(heads.$errors, now),
    emitId: newSortableId(now),
    name: "$errors",
    payload: errorRecord(source, { ...trigger, executionId: trigger.id, entry: "run" }, error, { now, mask }),
  };
  const cause = { hops: trigger.hops, ofError: trigger.ofError ?? false };
  return [{ op: "event.add", event, ...(trigger.hops > 0 ? { cause } : {}) }, remove];
}
