import type { Clock } from "../process/clock.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { Component, Source, TimerValue } from "../model/model.ts";
import type { Logger } from "../api/logger.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { Change, Store, StoredTimer } from "../store/contract.ts";
import { isLeftBehind, type NextTick, nextTick, tickAfterStep, tickAfterUpdate, timerEvent } from "./timer.ts";
import { createSchedule } from "./schedule.ts";
import { timerOf } from "../model/source-timer.ts";

export interface TimersParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sourceCache: SourceCache;
  readonly dispatcher: Dispatcher;
  readonly inbox: Pick<Inbox, "accept">;
  readonly backlog: Pick<Backlog, "waiting">;
  /** True for workflows that this process has not registered: their timers do not fire until the next `change`. */
  isUnregistered(sourceId: string): boolean;
}

export interface Timers {
  /** Loads the stored times and begins to fire. */
  start(): Promise<void>;
  /** The change to commit for the timer of a source: its first tick, its unchanged countdown, or its removal. */
  change(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  /** Call after the commit of `change`. */
  committed(change: Change): void;
  /** When the source fires next, epoch ms; undefined without a timer. */
  nextOf(sourceId: string): Promise<number | undefined>;
  /** Resolves when no tick is being committed. */
  idle(): Promise<void>;
  close(): void;
}

type TimerChange = Extract<Change, { op: "timer.set" }>;

type NextRule = (timer: TimerValue, moved: NextTick) => NextTick | undefined;

interface ActiveTimer {
  readonly source: Source;
  readonly timer: TimerValue;
}

/** The next tick of each source. Read from the store once; afterwards every change of the store is made here, too. */
function createStoredTicks(store: Store): {
  readonly ticks: Map<string, StoredTimer>;
  readonly load: () => Promise<void>;
} {
  const ticks = new Map<string, StoredTimer>();
  let loaded: Promise<void> | undefined;
  const load = (): Promise<void> =>
    (loaded ??= store.timers().then(
      (timers) => {
        for (const timer of timers) ticks.set(timer.sourceId, timer);
      },
      (error: unknown) => {
        loaded = undefined;
        throw error;
      },
    ));
  return { ticks, load };
}

/** The timer of an active source; undefined for deleted and paused ones. */
async function activeTimer(sourceCache: SourceCache, sourceId: string): Promise<ActiveTimer | undefined> {
  const cached = await sourceCache.find(sourceId);
  const timer = cached?.source.active ? timerOf(cached.source, cached.component) : undefined;
  return cached && timer && { source: cached.source, timer };
}

/** The first tick of a timer, or its unchanged countdown. `lastAt` equal to `at` marks a first tick. */
function tickOf(
  timer: TimerValue | undefined,
  before: StoredTimer | undefined,
  previous: { timer: TimerValue } | undefined,
  now: number,
): TimerChange["next"] {
  const current = previous && before ? { timer: previous.timer, next: before } : undefined;
  const next = timer && tickAfterUpdate(current, timer, now);
  return next && { at: next.at, lastAt: next === before ? before.lastAt : next.at };
}

export function createTimers(parts: TimersParts): Timers {
  const { store, clock, logger, sourceCache, dispatcher, inbox, backlog } = parts;
  const { ticks: known, load } = createStoredTicks(store);
  const running = new Set<Promise<void>>();
  let started = false;
  const schedule = createSchedule({
    clock,
    fire: (sourceId) => inLane(sourceId, () => fire(sourceId)),
    stepped(byMs) {
      logger.warn("the system clock was set; timers follow", { by_ms: byMs });
      for (const [sourceId, { at, lastAt }] of known) {
        known.set(sourceId, { sourceId, at: at + byMs, lastAt: lastAt + byMs });
        inLane(sourceId, () => follow(sourceId, (timer, moved) => tickAfterStep(timer, moved, byMs, clock.now())));
      }
    },
  });

  /** The lane prevents an update or delete between reading the timer and the commit. */
  function inLane(sourceId: string, work: () => Promise<void>): void {
    const tick = dispatcher.run(sourceId, work, "first").catch((error: unknown) => {
      logger.error("a timer tick could not be stored; it is retried", { source: sourceId, error: String(error) });
      const timer = known.get(sourceId);
      if (timer) schedule.set(sourceId, clock.now() + 1_000);
    });
    running.add(tick);
    void tick.finally(() => running.delete(tick));
  }

  /** Stores the next tick after the clock was set. */
  async function follow(sourceId: string, rule: NextRule): Promise<void> {
    const moved = known.get(sourceId);
    const timer = moved && (await activeTimer(sourceCache, sourceId))?.timer;
    if (moved && timer) await setNext(sourceId, rule(timer, moved));
  }

  /** Stores the next tick; undefined removes the timer. */
  async function setNext(sourceId: string, next: NextTick | undefined): Promise<void> {
    const change = { op: "timer.set", sourceId, next } as const;
    await store.commit([change]);
    apply(change);
  }

  /** One tick: its trigger and the next time are committed together, so that it happens exactly once. */
  async function fire(sourceId: string): Promise<void> {
    schedule.follow();
    const due = known.get(sourceId);
    if (!due || parts.isUnregistered(sourceId)) return;
    const found = await activeTimer(sourceCache, sourceId);
    // The source was deleted or paused.
    if (!found) return setNext(sourceId, undefined);
    const { source, timer } = found;
    if (due.at > clock.now()) return schedule.set(sourceId, due.at);
    const next = nextTick(timer, due.at, clock.now());
    const change = { op: "timer.set", sourceId, next: next && { at: next.at, lastAt: due.at } } as const;
    // At most one tick waits: further ones are dropped.
    if (backlog.waiting(sourceId, "TIMER") > 0) await store.commit([change]);
    else {
      const event = JSON.stringify(timerEvent(timer, due.at, due.lastAt === due.at ? undefined : due.lastAt));
      await inbox.accept({ sourceId, userId: source.userId, type: "TIMER", event, also: [change] });
    }
    apply(change);
  }

  function apply(change: TimerChange): void {
    const { sourceId, next } = change;
    if (next) known.set(sourceId, { sourceId, ...next });
    else known.delete(sourceId);
    if (!started) return;
    if (next) schedule.set(sourceId, next.at);
    else schedule.remove(sourceId);
  }

  return {
    async start() {
      await load();
      started = true;
      const now = clock.now();
      for (const { sourceId, ...tick } of known.values()) {
        schedule.set(sourceId, tick.at);
        if (!isLeftBehind(tick, now)) continue;
        inLane(sourceId, () => follow(sourceId, (timer) => tickAfterUpdate(undefined, timer, now)));
      }
    },
    async change(source, component, previous) {
      await load();
      schedule.follow();
      const timer = source.active ? timerOf(source, component) : undefined;
      return { op: "timer.set", sourceId: source.id, next: tickOf(timer, known.get(source.id), previous, clock.now()) };
    },
    committed(change) {
      if (change.op === "timer.set") apply(change);
    },
    async nextOf(sourceId) {
      await load();
      return known.get(sourceId)?.at;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    close: () => schedule.close(),
  };
}
