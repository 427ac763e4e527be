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
import type { Store } from "@x/store";
import { abandon } from "../records/abandon.ts";
import { invoke, type InvokeParts } from "../invoke.ts";
import type { Transitions } from "../lane/transitions.ts";
import { isSuspect } from "./abandonment.ts";
import type { Backlog } from "./backlog.ts";
import type { CrashWaits } from "./crash-waits.ts";
import { createRunAdmission, type RunAdmission } from "./run-admission.ts";
import type { TriggerEvents } from "./trigger-events.ts";
import { storedRow, type TriggerRow } from "./trigger-row.ts";

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

/** When the store hears that the run of a stored trigger begins: it knows, once the run takes long, or before the run. */
export type Marking = "done" | "late" | "before";

type Respond = (response: GuestResponse) => void;

/** Runs triggers, each in the lane of its source. */
export interface TriggerRuns {
  /** Runs a stored trigger, or one with this row. */
  run(head: TriggerHead, given: Marking | TriggerRow, respond?: Respond): Promise<Execution>;
  /** Runs it in the lane, which the caller holds. */
  runInLane(head: TriggerHead, row: TriggerRow): Promise<Execution>;
  /** Runs a stored trigger, if its source runs here. */
  resume(head: TriggerHead, marking: Marking): void;
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

  function begin(head: TriggerHead, given: Marking | TriggerRow, respond?: Respond): Promise<Execution> {
    const row = typeof given === "string" ? storedRow(head, given !== "late", parts) : given;
    const afterWait = async (): Promise<Execution> => {
      const waited = crashWaits.before(head);
      if (waited) await waited;
      if (!mayRun(head.sourceId)) {
        // Another node finds the trigger in the store.
        leave(head);
        throw new XError("store_unavailable", ["another node has taken the source over"]);
      }
      try {
        return await runNow(head, row, given === "before", respond);
      } catch (error) {
        const next = await afterFailure(head, error, row, parts);
        if (next === "leave") leave(head);
        if (next === "retry") retry(head);
        throw error;
      }
    };
    const ended = isSuspect(head.crashes) ? suspects.run("", afterWait) : afterWait();
    return ended.finally(() => row.close());
  }

  async function runNow(
    head: TriggerHead,
    row: TriggerRow,
    marksFirst: boolean,
    respond?: Respond,
  ): Promise<Execution> {
    const { source } = await sourceCache.get(head.sourceId);
    // The caller of a manual run may force it.
    if (!source.active && head.type !== "MANUAL") {
      if (await isKept(head, row, store, respond)) wait(head);
      else leave(head);
      throw new XError("inactive", [head.sourceId]);
    }
    const releaseRun = await enter(head, admission);
    try {
      backlog.begin(head);
      if (marksFirst) await store.commit([{ op: "trigger.start", id: head.id }]);
      row.watch();
      const execution = await invoke(await load(head, triggerEvents), row, parts, respond);
      leave(head);
      return execution;
    } finally {
      releaseRun();
    }
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
    run: (head, given, respond) =>
      runInTransition(head, respond) ?? dispatcher.run(head.sourceId, () => begin(head, given, respond)),
    runInLane: (head, row) => begin(head, row),
    resume(head, marking) {
      if (!takeBack(head)) return;
      const inTransition = runInTransition(head);
      if (inTransition) inTransition.catch(() => undefined);
      else dispatcher.post(head.sourceId, () => begin(head, marking));
    },
    leave,
  };
}

/** For a source that has been paused: its events are stored and wait; its ticks, and requests with a waiting client, are dropped. */
async function isKept(
  head: TriggerHead,
  row: TriggerRow,
  store: Store,
  respond: Respond | undefined,
): Promise<boolean> {
  const isDropped = head.type === "TIMER" || respond !== undefined;
  await (isDropped ? row.end((ending) => store.commit(ending)) : row.write());
  return !isDropped;
}

/** A request from a run of this server enters at once: that run has room already and may wait for the response. */
async function enter(
  { type, hops, userId, bytes, wholeBytes = bytes }: TriggerHead,
  admission: RunAdmission,
): Promise<() => void> {
  return type === "HTTP" && hops > 0 ? () => undefined : admission.enter(userId, wholeBytes);
}

async function load(head: TriggerHead, triggerEvents: TriggerEvents): Promise<LoadedTrigger> {
  const trigger = await triggerEvents.load(head);
  if (!trigger) throw new XError("not_found", ["source", head.sourceId]);
  return trigger;
}

/** The run was not committed. Its trigger runs again later, unless it cannot succeed: then it leaves the store. */
async function afterFailure(
  head: TriggerHead,
  error: unknown,
  row: TriggerRow,
  parts: TriggerRunsParts,
): Promise<"stay" | "leave" | "retry"> {
  const code = XError.is(error) ? error.code : "internal";
  if (code !== "closed" && code !== "inactive" && code !== "not_found") warn(head, error, parts);
  if (code === "closed" || code === "inactive") return stored(row, "stay");
  if (isStoreFailure(code)) return stored(row, "retry");
  try {
    // The trigger may have been stored after its source was deleted, or the deploy of the source may have failed.
    if (code === "not_found") await row.end((ending) => parts.store.commit(ending));
    // Any other error would repeat in every run.
    else {
      const reason = { code: "internal", message: errorText("internal") } as const;
      await row.end((ending) => abandon(head, reason, ending, { ...parts, now: parts.clock.now() }));
      parts.sourceCache.forget(head.sourceId);
    }
    return "leave";
  } catch (failure) {
    warn(head, failure, parts);
    return stored(row, "retry");
  }
}

/** What becomes of a stored trigger; one that cannot be stored leaves, and its sender gets the error of its run. */
const stored = <Next>(row: TriggerRow, next: Next): Promise<Next | "leave"> =>
  row.write().then(
    () => next,
    () => "leave",
  );

function warn(head: TriggerHead, error: unknown, { logger }: TriggerRunsParts): void {
  logger.error("a run could not be committed", { source: head.sourceId, trigger: head.id, error: String(error) });
}
