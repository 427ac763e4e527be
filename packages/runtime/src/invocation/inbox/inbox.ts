import {
  XError,
  errorText,
  isStoreFailure,
  newSortableId,
  triggerBytes,
  type Clock,
  type Dispatcher,
  type Execution,
  type Holding,
  type Limits,
  type LoadedTrigger,
  type Logger,
  type SourceType,
  type Trigger,
  type TriggerHead,
  type TriggerOrigin,
} from "@x/model";
import { abandon } from "../records/abandon.ts";
import { invoke, type InvokeParts } from "../invoke.ts";
import type { GuestResponse } from "@x/sandbox";
import type { Change, Slots } from "@x/store";
import type { Tracing } from "../../observe/contract.ts";
import type { Transitions } from "../lane/transitions.ts";
import type { Backlog } from "./backlog.ts";
import { isSuspect } from "./abandonment.ts";
import { createCrashWaits } from "./crash-waits.ts";
import { createRunAdmission } from "./run-admission.ts";
import type { TriggerEvents } from "./trigger-events.ts";

export interface NewTrigger {
  readonly sourceId: string;
  /** Owner of the source. */
  readonly userId: string;
  readonly type: SourceType;
  /** JSON text. */
  readonly event: string;
  /** Body of the request when `event` does not contain it. */
  readonly body?: Uint8Array;
  /** JSON text of the request's head, for the stored execution. */
  readonly received?: string;
  readonly httpProp?: string;
  /** Hops of the chain of events that led here; default 0. */
  readonly hops?: number;
  /** True if the trigger repeats one to which an `$errors` event led. */
  readonly ofError?: boolean;
  readonly origin?: TriggerOrigin;
  /** Called at the component's first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
  /** Committed together with the trigger. */
  readonly extraChanges?: readonly Change[];
}

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

export interface InboxParts extends InvokeParts {
  readonly dispatcher: Dispatcher;
  /** One lane for all triggers that may have crashed the process. */
  readonly suspects: Dispatcher;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "acceptingBytes">;
  readonly logger: Logger;
  readonly transitions: Transitions;
  readonly backlog: Backlog;
  readonly triggerEvents: TriggerEvents;
  readonly holding: Holding;
  /** True for workflows that this process has not registered: their triggers wait for `release`. */
  isUnregistered(sourceId: string): boolean;
}

/** Wait of a trigger after the store failed to commit its run. */
const retryMs = 1_000;

/** When the store marks a run as begun: already, during the run, or before the run. */
type Marking = "done" | "during" | "before";

type Respond = (response: GuestResponse) => void;

/** A trigger for the store, and its head for the lane. */
function newTrigger(given: NewTrigger, at: number): { readonly trigger: Trigger; readonly head: TriggerHead } {
  const { sourceId, userId, type, event, body, received, httpProp, hops = 0, ofError = false, origin } = given;
  const base = {
    id: newSortableId(at),
    sourceId,
    type,
    ...(httpProp !== undefined && { httpProp }),
    at,
    crashes: 0,
    hops,
    ...(ofError && { ofError }),
    ...(origin && { origin }),
  };
  const trigger = { ...base, event, ...(body && { body }), ...(received !== undefined && { received }) };
  return { trigger, head: { ...base, userId, bytes: triggerBytes(trigger) } };
}

/** A run that an embedder asks for belongs to the trace of its caller; a tick has no caller. */
function inTrace(given: NewTrigger, tracing: Tracing | undefined): NewTrigger {
  if (!tracing || given.type === "TIMER" || given.origin?.trace !== undefined) return given;
  const trace = tracing.active();
  return trace === undefined ? given : { ...given, origin: { ...given.origin, trace } };
}

export function createInbox(parts: InboxParts): Inbox {
  const { store, sourceCache, dispatcher, suspects, clock, limits, logger, transitions, backlog, triggerEvents } =
    parts;
  const { mayRun } = parts.holding;
  /** Triggers of paused sources, and of workflows that this process has not registered. */
  const waiting = new Map<string, TriggerHead[]>();
  const admission = createRunAdmission();
  const crashWaits = createCrashWaits();
  /** Bytes of triggers that are being stored. */
  let acceptingBytes = 0;

  /** Runs a request that arrives while a hook of its source runs, outside of the lane; undefined for other triggers. */
  function runInTransition(head: TriggerHead, respond?: Respond): Promise<Execution> | undefined {
    const transition = head.type === "HTTP" ? transitions.bySource(head.sourceId) : undefined;
    return transition?.run(load(head), respond).finally(() => leave(head));
  }

  const run = (head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> =>
    runInTransition(head, respond) ?? dispatcher.run(head.sourceId, () => begin(head, marking, respond));

  function begin(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> {
    const afterWait = async (): Promise<Execution> => {
      const waited = crashWaits.before(head);
      if (waited) await waited;
      if (!mayRun(head.sourceId)) return handOver(head);
      return runNow(head, marking, respond);
    };
    return isSuspect(head.crashes) ? suspects.run("", afterWait) : afterWait();
  }

  /** The source belongs to another node, which finds the trigger in the store. */
  async function handOver(head: TriggerHead): Promise<never> {
    leave(head);
    throw new XError("store_unavailable", ["another node has taken the source over"]);
  }

  /** Apart from `accept`, so that no closure of a waiting run holds the body of its request, which the store has. */
  function runAfter(
    durable: Promise<void>,
    head: TriggerHead,
    marking: Marking,
    respond?: Respond,
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
      // The caller of a manual run may force it.
      if (!source.active && head.type !== "MANUAL") return await waitForActivation(head, respond);
      const releaseRun = await admitRun(head);
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
        releaseRun();
      }
    } catch (error) {
      await keep(head, error);
      throw error;
    }
  }

  /** A request from a run of this server enters at once: that run has room already and may wait for the response. */
  async function admitRun({ type, hops, userId, bytes, wholeBytes = bytes }: TriggerHead): Promise<() => void> {
    return type === "HTTP" && hops > 0 ? () => undefined : admission.enter(userId, wholeBytes);
  }

  /** For a source that has been paused: its events wait; its ticks, and requests with a waiting client, are dropped. */
  async function waitForActivation(head: TriggerHead, respond: Respond | undefined): Promise<never> {
    if (head.type !== "TIMER" && !respond) wait(head);
    else {
      await store.commit([{ op: "trigger.remove", id: head.id }]);
      leave(head);
    }
    throw new XError("inactive", [head.sourceId]);
  }

  /** The run was not committed: its trigger runs again later, unless it cannot succeed. */
  async function keep(head: TriggerHead, error: unknown): Promise<void> {
    const code = XError.is(error) ? error.code : "internal";
    if (code === "closed" || code === "inactive") return;
    if (code !== "not_found") warn(head, error);
    if (isStoreFailure(code)) return retry(head);
    try {
      // The trigger may have been stored after its source was deleted, or the deploy of the source may have failed.
      if (code === "not_found") await store.commit([{ op: "trigger.remove", id: head.id }]);
      // Any other error would repeat in every run.
      else {
        const reason = { code: "internal", message: errorText("internal") } as const;
        await abandon(head, reason, { store, triggerEvents, recorder: parts.recorder, now: clock.now() });
        sourceCache.forget(head.sourceId);
      }
      leave(head);
    } catch (failure) {
      warn(head, failure);
      retry(head);
    }
  }

  /** The lane waits as well: later triggers of the source must not pass this one. */
  function retry(head: TriggerHead): void {
    const release = dispatcher.hold(head.sourceId, () => repeat(head));
    clock.wakeAt(clock.now() + retryMs, release);
  }

  async function repeat(head: TriggerHead): Promise<void> {
    if (!mayRun(head.sourceId)) return leave(head);
    backlog.add(head);
    if (parts.isUnregistered(head.sourceId)) return wait(head);
    await begin(head, "before");
  }

  function resume(heads: readonly TriggerHead[]): void {
    for (const head of heads) {
      if (!mayRun(head.sourceId)) {
        leave(head);
        continue;
      }
      backlog.add(head);
      if (parts.isUnregistered(head.sourceId)) {
        wait(head);
        continue;
      }
      const inTransition = runInTransition(head);
      if (inTransition) inTransition.catch(() => undefined);
      else dispatcher.post(head.sourceId, () => begin(head, "before"));
    }
  }

  const warn = (head: TriggerHead, error: unknown): void =>
    logger.error("a run could not be committed", { source: head.sourceId, trigger: head.id, error: String(error) });

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
    resume,
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
      resume(heads.filter(({ id }) => stored.has(id)));
    },
  };
}
