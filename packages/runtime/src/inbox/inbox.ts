import { abandon } from "../execution/abandon.ts";
import type { Clock } from "../clock.ts";
import { createDispatcher, type Dispatcher } from "../lane/dispatcher.ts";
import { type ErrorCode, messages, XError } from "../errors.ts";
import { newSortableId } from "../ids.ts";
import { invoke, type InvokeParts } from "../execution/invoke.ts";
import type { Execution, SourceType, Trigger } from "../model.ts";
import type { Limits, Logger } from "../options.ts";
import type { GuestResponse } from "../sandbox/contract.ts";
import type { Change } from "../store/contract.ts";
import type { Transitions } from "../lane/transitions.ts";

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
  /** Runs what waited for a source that was dormant, and is still there. */
  release(sourceId: string): Promise<void>;
  /** How many have not begun. */
  waiting(sourceId: string, type: SourceType): number;
}

export interface InboxParts extends InvokeParts {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly transitions: Transitions;
  /** Nothing of it runs now; what is here waits until it is released. */
  isDormant(sourceId: string): boolean;
}

/** How long a trigger waits after the store refused its run. */
const retryMs = 1_000;
/** Triggers in flight at so many crashes run one at a time, so that none is blamed for what another did (S24). */
const suspectCrashes = 2;

/** When the store learns that a run has begun: it knows, it hears meanwhile, or nothing runs before it knows. */
type Marking = "done" | "beside" | "before";

const storeFailures: readonly ErrorCode[] = ["store_failed", "store_corrupt", "store_locked", "store_version"];

export function createInbox(parts: InboxParts): Inbox {
  const { store, residents, dispatcher, clock, limits, logger, transitions } = parts;
  const suspects = createDispatcher();
  const held = new Map<string, Trigger[]>();
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

  function run(trigger: Trigger, marking: Marking, respond?: (response: GuestResponse) => void): Promise<Execution> {
    const transition = trigger.type === "HTTP" ? transitions.bySource(trigger.sourceId) : undefined;
    if (transition) return transition.run(trigger, respond).finally(() => leave(trigger));
    const begin = (): Promise<Execution> => runNow(trigger, marking, respond);
    return dispatcher.run(trigger.sourceId, () =>
      trigger.crashes >= suspectCrashes ? suspects.run("", begin) : begin(),
    );
  }

  async function runNow(
    trigger: Trigger,
    marking: Marking,
    respond?: (response: GuestResponse) => void,
  ): Promise<Execution> {
    try {
      entriesOf(trigger.sourceId).set(trigger.id, "running");
      if (marking !== "done") {
        const marked = store.commit([{ op: "trigger.start", id: trigger.id }]);
        if (marking === "before") await marked;
        else marked.catch((error: unknown) => warn(trigger, error));
      }
      const execution = await invoke(trigger, parts, respond);
      leave(trigger);
      return execution;
    } catch (error) {
      await keep(trigger, error);
      throw error;
    }
  }

  /** The run was not committed, so it did not happen: its trigger runs again when the store can be expected to take it. */
  async function keep(trigger: Trigger, error: unknown): Promise<void> {
    const code = XError.is(error) ? error.code : "internal";
    if (code !== "closed") warn(trigger, error);
    if (storeFailures.includes(code)) return retry(trigger);
    try {
      // A source that is gone took its rows along, unless the trigger came just then, or it never came to be.
      if (code === "not_found") await store.commit([{ op: "trigger.remove", id: trigger.id }]);
      // Whatever else stopped the run would stop it each time.
      else if (code !== "closed") {
        await store.commit(await abandon(trigger, { code: "internal", text: messages.internal() }, store, clock.now()));
        residents.forget(trigger.sourceId);
      }
      leave(trigger);
    } catch (failure) {
      warn(trigger, failure);
      retry(trigger);
    }
  }

  function retry(trigger: Trigger): void {
    clock.wakeAt(clock.now() + retryMs, () => resume([trigger]));
  }

  function resume(triggers: readonly Trigger[]): void {
    for (const trigger of triggers) {
      if (parts.isDormant(trigger.sourceId)) {
        held.set(trigger.sourceId, [...(held.get(trigger.sourceId) ?? []), trigger]);
        continue;
      }
      entriesOf(trigger.sourceId).set(trigger.id, trigger.type);
      run(trigger, "before").catch(() => undefined);
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
      if (parts.isDormant(given.sourceId)) throw new XError("inactive", [given.sourceId]);
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
      const done = durable.then(() => run(trigger, marked ? "done" : "beside", given.respond));
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
    async release(sourceId) {
      if (!held.has(sourceId)) return;
      const stored = new Set((await store.triggers(sourceId)).map(({ id }) => id));
      const triggers = held.get(sourceId) ?? [];
      held.delete(sourceId);
      resume(triggers.filter(({ id }) => stored.has(id)));
    },
    waiting: (sourceId, type) => [...(waiting.get(sourceId)?.values() ?? [])].filter((each) => each === type).length,
  };
}
