import { errorText } from "../../model/error-catalogue/catalogue.ts";
import { abandon } from "../records/abandon.ts";
import type { Clock } from "../../process/clock.ts";
import type { Dispatcher } from "../../process/dispatcher.ts";
import { isStoreFailure, XError } from "../../model/errors.ts";
import { newSortableId } from "../../process/ids.ts";
import { invoke, type InvokeParts } from "../invoke.ts";
import type { Execution, LoadedTrigger, SourceType, Trigger, TriggerHead } from "../../model/model.ts";
import type { Limits, Logger } from "../../api/options.ts";
import type { GuestResponse } from "../../sandbox/contract.ts";
import type { Change } from "../../store/contract.ts";
import type { Transitions } from "../lane/transitions.ts";
import type { Backlog } from "./backlog.ts";
import { suspectCrashes } from "./crash-limits.ts";
import { createCrashWaits } from "./crash-waits.ts";
import { createRunningRoom } from "./running-room.ts";
import type { TriggerEvents } from "./trigger-events.ts";

export interface NewTrigger {
  readonly sourceId: string;
  /** Owner of the source. */
  readonly userId: string;
  readonly type: SourceType;
  /** JSON text. */
  readonly event: string;
  /** Body of the request, which is not in `event` then. */
  readonly body?: Uint8Array;
  readonly httpProp?: string;
  /** Default: 0, nothing led here. */
  readonly hops?: number;
  /** Called at the component's first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
  /** Commits with the trigger. */
  readonly also?: readonly Change[];
}

export interface Accepted {
  /** Of the trigger, and of its run. */
  readonly id: string;
  /** Resolves when its run has been committed; rejects when the store failed or the source went away. */
  readonly done: Promise<Execution>;
}

/** Every reason to run, durable before anyone is answered, run in the source's lane (S1). */
export interface Inbox {
  /** Resolves when the trigger is durable. Rejects with `queue_full`, or `store_failed`. */
  accept(given: NewTrigger): Promise<Accepted>;
  /** Runs triggers that are in the store already. */
  resume(triggers: readonly TriggerHead[]): void;
  /** Runs what waited for a source that is active again, and forgets what waited for one that is gone. */
  release(sourceId: string): Promise<void>;
  /** A trigger of the source has been abandoned at this start: the others wait for a while. */
  mistrust(sourceId: string): void;
  /** Ends what only waits for its time. */
  close(): void;
}

export interface InboxParts extends InvokeParts {
  readonly dispatcher: Dispatcher;
  /** One lane for all that may have ended the process. */
  readonly suspects: Dispatcher;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "acceptingBytes">;
  readonly logger: Logger;
  readonly transitions: Transitions;
  readonly backlog: Backlog;
  readonly triggerEvents: TriggerEvents;
  /** Nothing of it runs now; what is here waits until it is released. */
  isUnregistered(sourceId: string): boolean;
}

/** How long a trigger waits after the store refused its run. */
const retryMs = 1_000;

/** When the store learns that a run has begun: it knows, it hears meanwhile, or nothing runs before it knows. */
type Marking = "done" | "beside" | "before";

type Respond = (response: GuestResponse) => void;

export function createInbox(parts: InboxParts): Inbox {
  const { store, sourceCache, dispatcher, suspects, clock, limits, logger, transitions, backlog, triggerEvents } =
    parts;
  /** Triggers of paused sources, and of workflows that this process has not registered. */
  const waiting = new Map<string, TriggerHead[]>();
  const room = createRunningRoom();
  const crashWaits = createCrashWaits();
  /** Of triggers that are being stored. */
  let acceptingBytes = 0;

  function run(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> {
    const transition = head.type === "HTTP" ? transitions.bySource(head.sourceId) : undefined;
    if (transition) {
      return load(head)
        .then((trigger) => transition.run(trigger, respond))
        .finally(() => leave(head));
    }
    const begin = async (): Promise<Execution> => {
      const waited = crashWaits.before(head);
      if (waited) await waited;
      return runNow(head, marking, respond);
    };
    return dispatcher.run(head.sourceId, () => (head.crashes >= suspectCrashes ? suspects.run("", begin) : begin()));
  }

  /** Counts a trigger that is about to be stored; throws `queue_full` when that would exceed a bound. */
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

  function leave(head: TriggerHead): void {
    backlog.remove(head);
    triggerEvents.remove(head.id);
  }

  function wait(head: TriggerHead): void {
    const heads = waiting.get(head.sourceId);
    if (heads) heads.push(head);
    else waiting.set(head.sourceId, [head]);
  }

  async function load(head: TriggerHead): Promise<LoadedTrigger> {
    const trigger = await triggerEvents.load(head);
    if (!trigger) throw new XError("not_found", ["source", head.sourceId]);
    return trigger;
  }

  async function runNow(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> {
    try {
      const { source } = await sourceCache.get(head.sourceId);
      // A manual run has been allowed to run all the same.
      if (!source.active && head.type !== "MANUAL") return await waitForActivation(head, respond);
      const leaveRoom = await enterRoom(head);
      try {
        backlog.begin(head);
        if (marking !== "done") {
          const marked = store.commit([{ op: "trigger.start", id: head.id }]);
          if (marking === "before") await marked;
          else marked.catch((error: unknown) => warn(head, error));
        }
        const execution = await invoke(await load(head), parts, respond);
        leave(head);
        return execution;
      } finally {
        leaveRoom();
      }
    } catch (error) {
      await keep(head, error);
      throw error;
    }
  }

  /** A run that calls an endpoint of this server has room already, and may wait for the answer. */
  async function enterRoom({ type, hops, userId, bytes, wholeBytes = bytes }: TriggerHead): Promise<() => void> {
    return type === "HTTP" && hops > 0 ? () => undefined : room.enter(userId, wholeBytes);
  }

  /** A source that was paused meanwhile: events wait for it, ticks and requests whose client waits do not. */
  async function waitForActivation(head: TriggerHead, respond: Respond | undefined): Promise<never> {
    if (head.type !== "TIMER" && !respond) wait(head);
    else {
      await store.commit([{ op: "trigger.remove", id: head.id }]);
      leave(head);
    }
    throw new XError("inactive", [head.sourceId]);
  }

  /** The run was not committed, so it did not happen: its trigger runs again when the store can be expected to take it. */
  async function keep(head: TriggerHead, error: unknown): Promise<void> {
    const code = XError.is(error) ? error.code : "internal";
    if (code === "closed" || code === "inactive") return;
    if (code !== "not_found") warn(head, error);
    if (isStoreFailure(code)) return retry(head);
    try {
      // A source that is gone took its rows along, unless the trigger came just then, or it never came to be.
      if (code === "not_found") await store.commit([{ op: "trigger.remove", id: head.id }]);
      // Whatever else stopped the run would stop it each time.
      else {
        const reason = { code: "internal", message: errorText("internal") } as const;
        await store.commit(await abandon(head, reason, { store, triggerEvents, now: clock.now() }));
        sourceCache.forget(head.sourceId);
      }
      leave(head);
    } catch (failure) {
      warn(head, failure);
      retry(head);
    }
  }

  function retry(head: TriggerHead): void {
    clock.wakeAt(clock.now() + retryMs, () => resume([head]));
  }

  function resume(heads: readonly TriggerHead[]): void {
    for (const head of heads) {
      backlog.add(head);
      if (parts.isUnregistered(head.sourceId)) wait(head);
      else run(head, "before").catch(() => undefined);
    }
  }

  const warn = (head: TriggerHead, error: unknown): void =>
    logger.error("a run could not be committed", { source: head.sourceId, trigger: head.id, error: String(error) });

  return {
    async accept(given) {
      const { sourceId, userId, type, event, body, httpProp } = given;
      if (parts.isUnregistered(sourceId)) throw new XError("inactive", [sourceId]);
      const at = clock.now();
      const { hops = 0 } = given;
      const base = { id: newSortableId(at), sourceId, type, ...(httpProp !== undefined && { httpProp }) };
      const trigger: Trigger = { ...base, event, ...(body && { body }), at, crashes: 0, hops };
      const bytes = Buffer.byteLength(event) + (body?.byteLength ?? 0);
      const head: TriggerHead = { ...base, at, crashes: 0, hops, userId, bytes };
      // Alone in an idle lane it starts as soon as it is durable, and its row can say so at once.
      const marked = backlog.isEmpty(sourceId) && !dispatcher.isBusy(sourceId) && !crashWaits.waits(head);
      admit(head);
      if (!body) triggerEvents.add(head.id, event);
      const durable = store.commit([{ op: "trigger.add", trigger, running: marked }, ...(given.also ?? [])]);
      const done = durable.then(() => run(head, marked ? "done" : "beside", given.respond));
      done.catch(() => undefined);
      try {
        await durable;
      } catch (error) {
        leave(head);
        throw error;
      } finally {
        acceptingBytes -= bytes;
      }
      return { id: head.id, done };
    },
    resume,
    mistrust: crashWaits.mistrust,
    close: crashWaits.close,
    async release(sourceId) {
      const heads = waiting.get(sourceId);
      if (!heads) return;
      waiting.delete(sourceId);
      const stored = new Set((await store.triggers(sourceId)).map(({ id }) => id));
      for (const head of heads) if (!stored.has(head.id)) leave(head);
      resume(heads.filter(({ id }) => stored.has(id)));
    },
  };
}
