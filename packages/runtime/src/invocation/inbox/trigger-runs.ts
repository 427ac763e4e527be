import {
  XError,
  errorText,
  isStoreFailure,
  type Clock,
  type Dispatcher,
  type Execution,
  type Holding,
  type LoadedTrigger,
  type Logger,
  type TriggerHead,
} from "@x/model";
import type { GuestResponse } from "@x/sandbox";
import { abandon } from "../records/abandon.ts";
import { invoke, type InvokeParts } from "../invoke.ts";
import type { Transitions } from "../lane/transitions.ts";
import { isSuspect } from "./abandonment.ts";
import type { Backlog } from "./backlog.ts";
import type { CrashWaits } from "./crash-waits.ts";
import { createRunAdmission } from "./run-admission.ts";
import type { TriggerEvents } from "./trigger-events.ts";

export interface TriggerRunsParts extends InvokeParts {
  readonly dispatcher: Dispatcher;
  /** One lane for all triggers that may have crashed the process. */
  readonly suspects: Dispatcher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly transitions: Transitions;
  readonly backlog: Backlog;
  readonly triggerEvents: TriggerEvents;
  readonly holding: Holding;
  /** True for workflows that this process has not registered: their triggers wait for `release`. */
  isUnregistered(sourceId: string): boolean;
}

/** When the store marks a run as begun: already, during the run, or before the run. */
export type Marking = "done" | "during" | "before";

type Respond = (response: GuestResponse) => void;

/** Runs stored triggers, each in the lane of its source. */
export interface TriggerRuns {
  run(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution>;
  /** Runs a trigger of an earlier process or a paused source, if its source runs here. */
  resume(head: TriggerHead): void;
  /** Forgets a trigger that has left the store, or this node. */
  leave(head: TriggerHead): void;
}

/** Wait of a trigger after the store failed to commit its run. */
const retryMs = 1_000;

/** `wait` keeps a trigger until its source is active. */
export function createTriggerRuns(
  parts: TriggerRunsParts,
  crashWaits: CrashWaits,
  wait: (head: TriggerHead) => void,
): TriggerRuns {
  const { store, sourceCache, dispatcher, suspects, clock, transitions, backlog, triggerEvents } = parts;
  const { mayRun } = parts.holding;
  const admission = createRunAdmission();

  function leave(head: TriggerHead): void {
    backlog.remove(head);
    triggerEvents.remove(head.id);
  }

  /** Runs a request that arrives while a hook of its source runs, outside of the lane; undefined for other triggers. */
  function runInTransition(head: TriggerHead, respond?: Respond): Promise<Execution> | undefined {
    const transition = head.type === "HTTP" ? transitions.bySource(head.sourceId) : undefined;
    return transition?.run(load(head, triggerEvents), respond).finally(() => leave(head));
  }

  function begin(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> {
    const afterWait = async (): Promise<Execution> => {
      const waited = crashWaits.before(head);
      if (waited) await waited;
      if (!mayRun(head.sourceId)) {
        // Another node finds the trigger in the store.
        leave(head);
        throw new XError("store_unavailable", ["another node has taken the source over"]);
      }
      try {
        return await runNow(head, marking, respond);
      } catch (error) {
        const next = await afterFailure(head, error, parts);
        if (next === "leave") leave(head);
        if (next === "retry") retry(head);
        throw error;
      }
    };
    return isSuspect(head.crashes) ? suspects.run("", afterWait) : afterWait();
  }

  async function runNow(head: TriggerHead, marking: Marking, respond?: Respond): Promise<Execution> {
    const { source } = await sourceCache.get(head.sourceId);
    // The caller of a manual run may force it.
    if (!source.active && head.type !== "MANUAL") return waitForActivation(head, respond);
    const releaseRun = await admitRun(head);
    try {
      backlog.begin(head);
      if (marking !== "done") await mark(head, marking, parts);
      const execution = await invoke(await load(head, triggerEvents), parts, respond);
      leave(head);
      return execution;
    } finally {
      releaseRun();
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

  /** The lane waits as well: later triggers of the source must not pass this one. */
  function retry(head: TriggerHead): void {
    const repeat = async (): Promise<void> => {
      if (takeBack(head)) await begin(head, "before");
    };
    clock.wakeAt(clock.now() + retryMs, dispatcher.hold(head.sourceId, repeat));
  }

  /** Counts a stored trigger again; false when it cannot run here now. */
  function takeBack(head: TriggerHead): boolean {
    if (!mayRun(head.sourceId)) {
      leave(head);
      return false;
    }
    backlog.add(head);
    if (!parts.isUnregistered(head.sourceId)) return true;
    wait(head);
    return false;
  }

  return {
    run: (head, marking, respond) =>
      runInTransition(head, respond) ?? dispatcher.run(head.sourceId, () => begin(head, marking, respond)),
    resume(head) {
      if (!takeBack(head)) return;
      const inTransition = runInTransition(head);
      if (inTransition) inTransition.catch(() => undefined);
      else dispatcher.post(head.sourceId, () => begin(head, "before"));
    },
    leave,
  };
}

async function load(head: TriggerHead, triggerEvents: TriggerEvents): Promise<LoadedTrigger> {
  const trigger = await triggerEvents.load(head);
  if (!trigger) throw new XError("not_found", ["source", head.sourceId]);
  return trigger;
}

/** Marks a run as begun in the store. */
async function mark(head: TriggerHead, marking: "during" | "before", parts: TriggerRunsParts): Promise<void> {
  const marked = parts.store.commit([{ op: "trigger.start", id: head.id }]);
  if (marking === "before") await marked;
  else marked.catch((error: unknown) => warn(head, error, parts));
}

/** The run was not committed. Its trigger runs again later, unless it cannot succeed: then it leaves the store. */
async function afterFailure(
  head: TriggerHead,
  error: unknown,
  parts: TriggerRunsParts,
): Promise<"stay" | "leave" | "retry"> {
  const code = XError.is(error) ? error.code : "internal";
  if (code === "closed" || code === "inactive") return "stay";
  if (code !== "not_found") warn(head, error, parts);
  if (isStoreFailure(code)) return "retry";
  try {
    // The trigger may have been stored after its source was deleted, or the deploy of the source may have failed.
    if (code === "not_found") await parts.store.commit([{ op: "trigger.remove", id: head.id }]);
    // Any other error would repeat in every run.
    else {
      const reason = { code: "internal", message: errorText("internal") } as const;
      await abandon(head, reason, { ...parts, now: parts.clock.now() });
      parts.sourceCache.forget(head.sourceId);
    }
    return "leave";
  } catch (failure) {
    warn(head, failure, parts);
    return "retry";
  }
}

function warn(head: TriggerHead, error: unknown, { logger }: TriggerRunsParts): void {
  logger.error("a run could not be committed", { source: head.sourceId, trigger: head.id, error: String(error) });
}
