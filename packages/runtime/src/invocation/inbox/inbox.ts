import { XError, type Execution, type Limits, type TriggerHead } from "@x/model";
import type { Slots } from "@x/store";
import { createCrashWaits } from "./crash-waits.ts";
import { inTrace, newTrigger, type NewTrigger } from "./new-trigger.ts";
import { createTriggerRuns, type Marking, type TriggerRunsParts } from "./trigger-runs.ts";

export interface Accepted {
  /** Id of the trigger and of its run. */
  readonly id: string;
  /** Resolves when the run is committed; rejects when the store fails or the source is deleted. */
  readonly done: Promise<Execution>;
}

/** Stores every trigger before its sender gets an answer, then runs it in the lane of its source. */
export interface Inbox {
  /** Resolves when the trigger is stored. Rejects with `inactive`, `queue_full` or `store_failed`. */
  accept(given: NewTrigger): Promise<Accepted>;
  /** Runs stored triggers. */
  resume(triggers: readonly TriggerHead[]): void;
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

export interface InboxParts extends TriggerRunsParts {
  readonly limits: Pick<Limits, "acceptingBytes">;
}

export function createInbox(parts: InboxParts): Inbox {
  const { store, dispatcher, clock, limits, backlog, triggerEvents } = parts;
  /** Triggers of paused sources, and of workflows that this process has not registered. */
  const waiting = new Map<string, TriggerHead[]>();
  const crashWaits = createCrashWaits();
  const { run, resume, leave } = createTriggerRuns(parts, crashWaits, (head) => {
    const heads = waiting.get(head.sourceId);
    if (heads) heads.push(head);
    else waiting.set(head.sourceId, [head]);
  });
  /** Bytes of triggers that are being stored. */
  let acceptingBytes = 0;

  /** Apart from `accept`, so that no closure of a waiting run holds the body of its request, which the store has. */
  function runAfter(
    durable: Promise<void>,
    head: TriggerHead,
    marking: Marking,
    respond: NewTrigger["respond"],
  ): Promise<Execution> {
    const done = durable.then(() => run(head, marking, respond));
    done.catch(() => undefined);
    return done;
  }

  /** Counts a trigger that is about to be stored; throws `queue_full` when that would exceed a limit. */
  function admit(head: TriggerHead): void {
    const accepting = acceptingBytes + head.bytes;
    const excess =
      accepting > limits.acceptingBytes
        ? { limit: `${limits.acceptingBytes} bytes at the same time`, got: String(accepting) }
        : backlog.findExcess(head);
    if (excess) {
      const { limit, got } = excess;
      throw new XError("queue_full", [head.sourceId, limit, got], { details: { retryAfterSeconds: 1 } });
    }
    acceptingBytes = accepting;
    backlog.add(head);
  }

  return {
    async accept(given) {
      const { sourceId } = given;
      if (parts.isUnregistered(sourceId)) throw new XError("inactive", [sourceId]);
      const { trigger, head } = newTrigger(inTrace(given, parts.tracing), clock.now());
      // In an idle lane the run begins as soon as the trigger is stored, so its row can be marked at once.
      const marked = backlog.isEmpty(sourceId) && !dispatcher.isBusy(sourceId) && !crashWaits.waits(head);
      admit(head);
      triggerEvents.add(trigger);
      const durable = store.commit([{ op: "trigger.add", trigger, running: marked }, ...(given.extraChanges ?? [])]);
      const done = runAfter(durable, head, marked ? "done" : "during", given.respond);
      try {
        await durable;
      } catch (error) {
        leave(head);
        throw error;
      } finally {
        acceptingBytes -= head.bytes;
      }
      return { id: head.id, done };
    },
    resume: (heads) => heads.forEach(resume),
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
      for (const head of heads) if (stored.has(head.id)) resume(head);
    },
  };
}
