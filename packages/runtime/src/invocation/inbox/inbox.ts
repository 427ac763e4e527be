import type { TriggerHead } from "@x/model";
import type { Slots } from "@x/store";
import { createArrivals, type Arrivals, type ArrivalsParts } from "./arrivals.ts";
import { createCrashWaits } from "./crash-waits.ts";
import { createTriggerRuns, type Marking, type TriggerRunsParts } from "./trigger-runs.ts";

/**
 * Runs every trigger in the lane of its source. Its sender gets an answer when the trigger or the outcome of its run is durable,
 * whichever is first: in an idle lane the run begins at once, and the trigger is stored only if the run takes long.
 */
export interface Inbox extends Arrivals {
  /** Runs stored triggers. `marking`: default "before", for what a former process may have begun. */
  resume(triggers: readonly TriggerHead[], marking?: Marking): void;
  /** Runs the waiting triggers of a source that is active again; forgets those of a deleted source. */
  release(sourceId: string): Promise<void>;
  /** Delays the triggers of a source one of whose triggers was abandoned at this start. */
  delaySource(sourceId: string): void;
  /** Rejects triggers that wait after a crash; they stay in the store. */
  close(): void;
  /** Stops what waits for these sources, of which only triggers with a waiting client run from now on. */
  stop(slots: Slots): void;
  /** Forgets what waits for these sources; it stays in the store. */
  forget(slots: Slots): void;
}

export interface InboxParts extends TriggerRunsParts, Pick<ArrivalsParts, "limits"> {}

export function createInbox(parts: InboxParts): Inbox {
  const { store, backlog, triggerEvents } = parts;
  /** Triggers of paused sources, and of workflows that this process has not registered. */
  const waiting = new Map<string, TriggerHead[]>();
  const crashWaits = createCrashWaits();
  const runs = createTriggerRuns(parts, crashWaits, (head) => {
    const heads = waiting.get(head.sourceId);
    if (heads) heads.push(head);
    else waiting.set(head.sourceId, [head]);
  });
  const { resume, leave } = runs;

  return {
    ...createArrivals({ ...parts, crashWaits, runs }),
    resume: (heads, marking = "before") => heads.forEach((head) => resume(head, marking)),
    delaySource: crashWaits.delaySource,
    close: () => crashWaits.end(),
    stop(slots) {
      crashWaits.end(slots.has);
      for (const sourceId of waiting.keys()) if (slots.has(sourceId)) waiting.delete(sourceId);
    },
    forget(slots) {
      backlog.forget(slots.has).forEach(triggerEvents.remove);
    },
    async release(sourceId) {
      const heads = waiting.get(sourceId);
      if (!heads) return;
      waiting.delete(sourceId);
      const stored = new Set((await store.triggers(sourceId)).map(({ id }) => id));
      for (const head of heads) if (!stored.has(head.id)) leave(head);
      for (const head of heads) if (stored.has(head.id)) resume(head, "before");
    },
  };
}
