import {
  timerOf,
  type Clock,
  type Component,
  type Dispatcher,
  type Holding,
  type Logger,
  type Source,
  type TimerValue,
} from "@x/model";
import type { Change, Store, StoredTimer } from "@x/store";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { Observer } from "../observe/contract.ts";
import {
  isLeftBehind,
  type NextTick,
  nextTick,
  tickAfterStep,
  tickAfterUpdate,
  ticksFrom,
  timerEvent,
} from "./timer.ts";
import { createSchedule } from "./schedule.ts";

export interface TimersParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: Pick<Observer, "working">;
  readonly sourceCache: SourceCache;
  readonly dispatcher: Dispatcher;
  readonly inbox: Pick<Inbox, "tick">;
  readonly backlog: Pick<Backlog, "waiting">;
  readonly holding: Pick<Holding, "isHeld">;
  /** True for workflows that this process has not registered: their timers do not fire until the next `change`. */
  isUnregistered(sourceId: string): boolean;
}

type ReadTicks = () => Promise<readonly StoredTimer[]>;

export interface Timers {
  /** Loads the stored times and begins to fire. */
  start(): Promise<void>;
  /** Loads these stored times alone; resolves with the function that begins to fire them. */
  take(read: ReadTicks): Promise<() => void>;
  /** Forgets the timers of these sources. */
  stop(isGone: (sourceId: string) => boolean): void;
  /** The change to commit for the timer of a source: its first tick, its unchanged countdown, or its removal. */
  change(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  /** Call after the commit of `change`. */
  committed(change: Change): void;
  /** The next times at which it fires, epoch ms; empty without a timer, or while it is paused. */
  ticksOf(sourceId: string, most: number): Promise<readonly number[]>;
  /** Resolves when no tick runs or is being stored. */
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
interface StoredTicks {
  readonly ticks: Map<string, StoredTimer>;
  /** Reads all ticks, once. */
  load(): Promise<void>;
  /** Reads these ticks, and takes the place of `load`. */
  loadSome(read: ReadTicks): Promise<readonly StoredTimer[]>;
  /** Forgets the ticks of these sources; returns the sources. */
  forget(isGone: (sourceId: string) => boolean): readonly string[];
}

function createStoredTicks(store: Store): StoredTicks {
  const ticks = new Map<string, StoredTimer>();
  let loaded: Promise<void> | undefined;
  const add = async (read: ReadTicks): Promise<readonly StoredTimer[]> => {
    const timers = await read();
    for (const timer of timers) ticks.set(timer.sourceId, timer);
    return timers;
  };
  return {
    ticks,
    load: () =>
      (loaded ??= add(() => store.timers()).then(
        () => undefined,
        (error: unknown) => {
          loaded = undefined;
          throw error;
        },
      )),
    loadSome(read) {
      loaded ??= Promise.resolve();
      return add(read);
    },
    forget(isGone) {
      const forgotten = [...ticks.keys()].filter(isGone);
      for (const sourceId of forgotten) ticks.delete(sourceId);
      return forgotten;
    },
  };
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

/** The next ticks, beginning with `next`. */
async function ticksAfter(
  sourceCache: SourceCache,
  sourceId: string,
  next: NextTick | undefined,
  most: number,
): Promise<readonly number[]> {
  const active = next && (await activeTimer(sourceCache, sourceId));
  return active ? ticksFrom(active.timer, next.at, most) : [];
}

const shifted = ({ at, lastAt }: NextTick, byMs: number): NextTick => ({ at: at + byMs, lastAt: lastAt + byMs });

/** Ticks that are running or being stored. */
interface TickWork {
  inLane(sourceId: string, work: () => Promise<void>): void;
  idle(): Promise<void>;
}

/** `failed` is called for a tick that could not be stored. */
function createTickWork(
  { dispatcher, logger }: Pick<TimersParts, "dispatcher" | "logger">,
  failed: (sourceId: string) => void,
): TickWork {
  const running = new Set<Promise<void>>();
  return {
    /** The lane prevents an update or delete between reading the timer and the commit. */
    inLane(sourceId, work) {
      const tick = dispatcher.run(sourceId, work, "first").catch((error: unknown) => {
        logger.error("a timer tick could not be committed; it is retried", { source: sourceId, error: String(error) });
        failed(sourceId);
      });
      running.add(tick);
      void tick.finally(() => running.delete(tick));
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** What a tick reads and changes. */
interface Ticks {
  readonly known: StoredTicks["ticks"];
  /** Sources whose ticks were due when their timers were read: a process may have ended in them, so that they are stored first. */
  readonly overdue: Set<string>;
  /** The ticks after those that are running. */
  readonly following: Map<string, TimerChange["next"]>;
  setNext(sourceId: string, next: NextTick | undefined): Promise<void>;
  apply(change: TimerChange): void;
  /** Fires at this time. */
  later(sourceId: string, at: number): void;
}

/** One tick: its outcome, or its trigger if it has to wait, and the next time are committed together, so that it happens exactly once. */
async function fire(sourceId: string, parts: TimersParts, ticks: Ticks): Promise<void> {
  const { store, clock, sourceCache, inbox, backlog } = parts;
  const { known, following, setNext } = ticks;
  parts.observer.working("a tick of a timer", sourceId);
  const due = known.get(sourceId);
  if (!due || parts.isUnregistered(sourceId)) return;
  const found = await activeTimer(sourceCache, sourceId);
  // The source was deleted or paused.
  if (!found) return setNext(sourceId, undefined);
  const { source, timer } = found;
  if (due.at > clock.now()) return ticks.later(sourceId, due.at);
  const next = nextTick(timer, due.at, clock.now());
  following.set(sourceId, next && { at: next.at, lastAt: due.at });
  const change = (): TimerChange => ({ op: "timer.set", sourceId, next: following.get(sourceId) });
  try {
    // At most one tick waits: further ones are dropped.
    if (backlog.waiting(sourceId, "TIMER") > 0) await store.commit([change()]);
    else {
      const event = JSON.stringify(timerEvent(timer, due.at, due.lastAt === due.at ? undefined : due.lastAt));
      const tick = { sourceId, userId: source.userId, type: "TIMER", event } as const;
      await inbox.tick(tick, change, ticks.overdue.delete(sourceId));
    }
    ticks.apply(change());
  } finally {
    following.delete(sourceId);
  }
}

export function createTimers(parts: TimersParts): Timers {
  const { store, clock, logger, sourceCache } = parts;
  const { ticks: known, load, loadSome, forget } = createStoredTicks(store);
  const { isHeld } = parts.holding;
  let started = false;
  const overdue = new Set<string>();
  const following = new Map<string, TimerChange["next"]>();
  const { inLane, ...work } = createTickWork(parts, (sourceId) => {
    if (known.has(sourceId)) schedule.set(sourceId, clock.now() + 1_000);
  });
  const schedule = createSchedule({
    clock,
    fire(sourceId) {
      inLane(sourceId, () => {
        schedule.follow();
        return fire(sourceId, parts, { known, overdue, following, setNext, apply, later: schedule.set });
      });
    },
    stepped(byMs) {
      logger.warn("the system clock was set; timers follow", { by_ms: byMs });
      for (const [sourceId, next] of following) if (next) following.set(sourceId, shifted(next, byMs));
      for (const [sourceId, tick] of known) {
        known.set(sourceId, { sourceId, ...shifted(tick, byMs) });
        inLane(sourceId, () => follow(sourceId, (timer, moved) => tickAfterStep(timer, moved, byMs, clock.now())));
      }
    },
  });

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

  function apply(change: TimerChange): void {
    const { sourceId, next } = change;
    if (!isHeld(sourceId)) return;
    if (next) known.set(sourceId, { sourceId, ...next });
    else known.delete(sourceId);
    if (!started) return;
    if (next) schedule.set(sourceId, next.at);
    else schedule.remove(sourceId);
  }

  function begin(ticks: Iterable<StoredTimer>): void {
    started = true;
    const now = clock.now();
    for (const { sourceId, ...tick } of ticks) {
      schedule.set(sourceId, tick.at);
      if (tick.at <= now) overdue.add(sourceId);
      if (!isLeftBehind(tick, now)) continue;
      inLane(sourceId, () => follow(sourceId, (timer) => tickAfterUpdate(undefined, timer, now)));
    }
  }

  return {
    async start() {
      await load();
      begin(known.values());
    },
    async take(read) {
      const ticks = await loadSome(read);
      return () => begin(ticks);
    },
    stop: (isGone) => forget(isGone).forEach(schedule.remove),
    async change(source, component, previous) {
      await load();
      schedule.follow();
      const timer = source.active ? timerOf(source, component) : undefined;
      return { op: "timer.set", sourceId: source.id, next: tickOf(timer, known.get(source.id), previous, clock.now()) };
    },
    committed: (change) => (change.op === "timer.set" ? apply(change) : undefined),
    async ticksOf(sourceId, most) {
      await load();
      return ticksAfter(
        sourceCache,
        sourceId,
        following.has(sourceId) ? following.get(sourceId) : known.get(sourceId),
        most,
      );
    },
    idle: work.idle,
    close: () => schedule.close(),
  };
}
