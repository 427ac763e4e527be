import {
  XError,
  type Clock,
  type Dispatcher,
  type Execution,
  type Limits,
  type Logger,
  type TriggerHead,
} from "@x/model";
import type { Change, Store } from "@x/store";
import type { Tracing } from "../../observe/contract.ts";
import type { Backlog } from "./backlog.ts";
import type { CrashWaits } from "./crash-waits.ts";
import { inTrace, newTrigger, type MadeTrigger, type NewTrigger } from "./new-trigger.ts";
import type { TriggerEvents } from "./trigger-events.ts";
import { laterRow, tickRow, type TriggerRow } from "./trigger-row.ts";
import type { Marking, TriggerRuns } from "./trigger-runs.ts";

export interface Accepted {
  /** Id of the trigger and of its run. */
  readonly id: string;
  /** Resolves when the run is committed; rejects when the store fails or the source is deleted. */
  readonly done: Promise<Execution>;
}

/** New triggers on their way into the lanes. */
export interface Arrivals {
  /** Resolves when the trigger, or the outcome of its run, is durable. Rejects with `inactive`, `queue_full` or `store_failed`. */
  accept(given: NewTrigger): Promise<Accepted>;
  /**
   * For a tick of a timer, from a job of the lane of its source. Runs the tick within that job and commits `next()` with its outcome; if
   * other triggers wait or `isOverdue` is true, stores it with `next()` for a later turn. Resolves when that is durable; rejects if
   * nothing of it is.
   */
  tick(given: NewTrigger, next: () => Change, isOverdue: boolean): Promise<void>;
}

export interface ArrivalsParts {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<Limits, "acceptingBytes">;
  readonly backlog: Backlog;
  readonly triggerEvents: TriggerEvents;
  readonly tracing?: Tracing | undefined;
  readonly crashWaits: Pick<CrashWaits, "waits">;
  readonly runs: TriggerRuns;
  isUnregistered(sourceId: string): boolean;
}

export function createArrivals(parts: ArrivalsParts): Arrivals {
  const { store, dispatcher, clock, limits, backlog, triggerEvents, crashWaits } = parts;
  const { run, runInLane, leave } = parts.runs;
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

  /** Nothing of the source waits or runs, but for what the caller does. */
  const isFree = (head: TriggerHead): boolean => backlog.isEmpty(head.sourceId) && !crashWaits.waits(head);

  /** Resolves when the trigger of a run that has begun, or its outcome, is durable. */
  async function durableOf(row: TriggerRow, done: Promise<Execution>): Promise<void> {
    done.catch(() => undefined);
    await Promise.race([row.durable, done]);
  }

  /** Begins nothing later than the call, so that triggers keep their order. */
  async function admitted<Result>(head: TriggerHead, work: () => Promise<Result>): Promise<Result> {
    admit(head);
    try {
      return await work();
    } finally {
      acceptingBytes -= head.bytes;
    }
  }

  /** `isNext`: its run begins as soon as it is stored, so its row can be marked at once. */
  async function storeFirst({ trigger, head }: MadeTrigger, given: NewTrigger, isNext: boolean): Promise<Accepted> {
    const { respond, extraChanges = [] } = given;
    const durable = store.commit([{ op: "trigger.add", trigger, running: isNext }, ...extraChanges]);
    const done = runAfter(durable, head, isNext ? "done" : "late", respond);
    try {
      await durable;
    } catch (error) {
      leave(head);
      throw error;
    }
    return { id: head.id, done };
  }

  async function runFirst({ trigger, head }: MadeTrigger, given: NewTrigger): Promise<Accepted> {
    const row = laterRow(head, trigger, given.extraChanges ?? [], parts);
    const done = run(head, row, given.respond);
    await durableOf(row, done);
    return { id: head.id, done };
  }

  async function accept(given: NewTrigger): Promise<Accepted> {
    const { sourceId } = given;
    if (parts.isUnregistered(sourceId)) throw new XError("inactive", [sourceId]);
    const made = newTrigger(inTrace(given, parts.tracing), clock.now());
    const isNext = isFree(made.head) && !dispatcher.isBusy(sourceId);
    return admitted(made.head, () =>
      triggerEvents.add(made.trigger) && isNext ? runFirst(made, given) : storeFirst(made, given, isNext),
    );
  }

  async function tick(given: NewTrigger, next: () => Change, isOverdue: boolean): Promise<void> {
    const made = newTrigger(given, clock.now());
    const { trigger, head } = made;
    const isNext = isFree(head);
    if (isNext && !isOverdue && triggerEvents.add(trigger)) {
      backlog.add(head);
      const row = tickRow(head, next, parts);
      await durableOf(row, runInLane(head, row));
      return;
    }
    await admitted(head, () => {
      triggerEvents.add(trigger);
      return storeFirst(made, { ...given, extraChanges: [next()] }, isNext);
    });
  }

  return { accept, tick };
}
