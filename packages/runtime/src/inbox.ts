import type { Clock } from "./clock.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { XError } from "./errors.ts";
import { newSortableId } from "./ids.ts";
import { invoke, type InvokeParts } from "./invoke.ts";
import type { Execution, SourceType, Trigger } from "./model.ts";
import type { Limits, Logger } from "./options.ts";
import type { GuestResponse } from "./sandbox/contract.ts";
import type { Change } from "./store/contract.ts";
import type { Transitions } from "./transitions.ts";

export interface NewTrigger {
  readonly sourceId: string;
  readonly type: SourceType;
  /** JSON text. */
  readonly event: string;
  readonly httpProp?: string;
  /** Called at the component's first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
  /** Commits with the trigger. */
  readonly also?: readonly Change[];
}

export interface Accepted {
  readonly trigger: Trigger;
  /** Resolves when its run has been committed; rejects when the store failed or the source went away. */
  readonly done: Promise<Execution>;
}

/** Every reason to run, durable before anyone is answered, run in the source's lane (S1). */
export interface Inbox {
  /** Resolves when the trigger is durable. Rejects with `queue_full`, or `store_failed`. */
  accept(given: NewTrigger): Promise<Accepted>;
  /** Runs triggers that a former process left behind. */
  resume(triggers: readonly Trigger[]): void;
  /** How many have not begun. */
  waiting(sourceId: string, type: SourceType): number;
}

export interface InboxParts extends InvokeParts {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly transitions: Transitions;
}

/** How long a trigger waits after the store refused its run. */
const retryMs = 1_000;

export function createInbox(parts: InboxParts): Inbox {
  const { store, dispatcher, clock, limits, logger, transitions } = parts;
  /** Types of the triggers of each source; "running" for the one that has begun. */
  const waiting = new Map<string, Map<string, SourceType | "running">>();

  const entriesOf = (sourceId: string): Map<string, SourceType | "running"> => {
    const known = waiting.get(sourceId) ?? new Map<string, SourceType | "running">();
    waiting.set(sourceId, known);
    return known;
  };
  const leave = (trigger: Trigger): void => {
    const entries = waiting.get(trigger.sourceId);
    entries?.delete(trigger.id);
    if (entries?.size === 0) waiting.delete(trigger.sourceId);
  };

  function run(trigger: Trigger, marked: boolean, respond?: (response: GuestResponse) => void): Promise<Execution> {
    const transition = trigger.type === "HTTP" ? transitions.bySource(trigger.sourceId) : undefined;
    if (transition) return transition.run(trigger, respond).finally(() => leave(trigger));
    return dispatcher.run(trigger.sourceId, async () => {
      try {
        entriesOf(trigger.sourceId).set(trigger.id, "running");
        if (!marked)
          void store.commit([{ op: "trigger.start", id: trigger.id }]).catch((error: unknown) => warn(trigger, error));
        const execution = await invoke(trigger, parts, respond);
        leave(trigger);
        return execution;
      } catch (error) {
        warn(trigger, error);
        keep(trigger, error);
        throw error;
      }
    });
  }

  /** The run was not committed, so it did not happen: its trigger runs again, unless the source is gone. */
  function keep(trigger: Trigger, error: unknown): void {
    const gone = XError.is(error) && (error.code === "not_found" || error.code === "closed");
    if (gone) {
      leave(trigger);
      // A source that is gone took its rows along, unless it never came to be.
      if (error.code === "not_found")
        void store
          .commit([{ op: "trigger.remove", id: trigger.id }])
          .catch((failure: unknown) => warn(trigger, failure));
    } else clock.wakeAt(clock.now() + retryMs, () => resume([trigger]));
  }

  function resume(triggers: readonly Trigger[]): void {
    for (const trigger of triggers) {
      entriesOf(trigger.sourceId).set(trigger.id, trigger.type);
      run(trigger, false).catch(() => undefined);
    }
  }

  const warn = (trigger: Trigger, error: unknown): void =>
    logger.error("a run could not be committed", {
      source: trigger.sourceId,
      trigger: trigger.id,
      error: String(error),
    });

  return {
    async accept(given) {
      const entries = entriesOf(given.sourceId);
      if (entries.size >= limits.inboxPerSource) {
        throw new XError("queue_full", [given.sourceId, String(entries.size)], { details: { retryAfterSeconds: 1 } });
      }
      const at = clock.now();
      const trigger: Trigger = {
        id: newSortableId(at),
        sourceId: given.sourceId,
        type: given.type,
        event: given.event,
        ...(given.httpProp === undefined ? {} : { httpProp: given.httpProp }),
        at,
        crashes: 0,
        hops: 0,
      };
      // Alone in an idle lane it starts as soon as it is durable, and its row can say so at once.
      const marked = entries.size === 0 && !dispatcher.isBusy(given.sourceId);
      entries.set(trigger.id, trigger.type);
      const durable = store.commit([{ op: "trigger.add", trigger, running: marked }, ...(given.also ?? [])]);
      const done = durable.then(() => run(trigger, marked, given.respond));
      done.catch(() => undefined);
      try {
        await durable;
      } catch (error) {
        leave(trigger);
        throw error;
      }
      return { trigger, done };
    },
    resume,
    waiting: (sourceId, type) => [...(waiting.get(sourceId)?.values() ?? [])].filter((each) => each === type).length,
  };
}
