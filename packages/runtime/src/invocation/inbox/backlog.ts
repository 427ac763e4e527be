import type { Limits, SourceType, TriggerHead } from "@x/model";

export type BacklogLimits = Pick<Limits, "inboxPerSource" | "inboxBytesPerSource" | "inboxBytesPerUser" | "inboxBytes">;

/** The fields of a trigger that are counted. */
export type Counted = Pick<TriggerHead, "id" | "sourceId" | "userId" | "type" | "bytes">;

/** Added for each trigger: its row in the store and its memory, without the event. */
const triggerBytes = 2_048;

/** The limit that one more trigger would exceed. */
export interface Excess {
  readonly limit: string;
  readonly got: string;
}

/** Counts waiting and running triggers and their bytes, per source, per user and in total. */
export interface Backlog {
  /** The limit that one more trigger would exceed, if any. */
  findExcess(trigger: Omit<Counted, "id" | "type">): Excess | undefined;
  /** Counts a trigger, even beyond the limits; the same trigger counts once. */
  add(trigger: Counted): void;
  remove(trigger: Pick<Counted, "id" | "sourceId">): void;
  /** Marks a trigger whose run has begun. */
  begin(trigger: Pick<Counted, "id" | "sourceId">): void;
  /** Number of triggers of a source whose runs have not begun. */
  waiting(sourceId: string, type: SourceType): number;
  /** Number of all triggers of a source whose runs have not begun. */
  depthOf(sourceId: string): number;
  isEmpty(sourceId: string): boolean;
  /** True for a trigger that is counted. */
  has(trigger: Pick<Counted, "id" | "sourceId">): boolean;
  /** Stops counting the triggers of these sources; returns their ids. */
  forget(has: (sourceId: string) => boolean): readonly string[];
  /** Of all sources. */
  depth(): BacklogDepth;
}

export interface BacklogDepth {
  readonly waiting: number;
  /** Triggers whose runs have begun. */
  readonly running: number;
  /** Of both, with 2 KiB for each. */
  readonly bytes: number;
}

interface Queue {
  readonly entries: Map<string, Counted>;
  /** Ids of the triggers whose runs have begun. */
  readonly begun: Set<string>;
  bytes: number;
}

const exceeds = (got: number, most: number, unit: string): Excess | undefined =>
  got > most ? { limit: `${most} ${unit}`, got: String(got) } : undefined;

export function createBacklog(limits: BacklogLimits): Backlog {
  const queues = new Map<string, Queue>();
  const bytesOfUsers = new Map<string, number>();
  let allBytes = 0;

  const queueOf = (sourceId: string): Queue =>
    queues.get(sourceId) ?? { entries: new Map(), begun: new Set(), bytes: 0 };

  function count({ sourceId, userId, bytes: eventBytes }: Counted, sign: 1 | -1): void {
    const bytes = eventBytes + triggerBytes;
    const queue = queueOf(sourceId);
    queue.bytes += sign * bytes;
    if (queue.entries.size > 0) queues.set(sourceId, queue);
    else queues.delete(sourceId);
    const ofUser = (bytesOfUsers.get(userId) ?? 0) + sign * bytes;
    if (ofUser > 0) bytesOfUsers.set(userId, ofUser);
    else bytesOfUsers.delete(userId);
    allBytes += sign * bytes;
  }

  function add(counted: Counted): void {
    const queue = queueOf(counted.sourceId);
    if (queue.entries.has(counted.id)) return;
    queue.entries.set(counted.id, counted);
    queues.set(counted.sourceId, queue);
    count(counted, 1);
  }

  function remove({ id, sourceId }: Pick<Counted, "id" | "sourceId">): void {
    const queue = queues.get(sourceId);
    const counted = queue?.entries.get(id);
    if (!counted) return;
    queue?.entries.delete(id);
    queue?.begun.delete(id);
    count(counted, -1);
  }

  function findExcess({ sourceId, userId, bytes: eventBytes }: Omit<Counted, "id" | "type">): Excess | undefined {
    const bytes = eventBytes + triggerBytes;
    const queue = queues.get(sourceId);
    return (
      exceeds((queue?.entries.size ?? 0) + 1, limits.inboxPerSource, "triggers") ??
      exceeds((queue?.bytes ?? 0) + bytes, limits.inboxBytesPerSource, "bytes") ??
      exceeds((bytesOfUsers.get(userId) ?? 0) + bytes, limits.inboxBytesPerUser, "bytes of one user") ??
      exceeds(allBytes + bytes, limits.inboxBytes, "bytes of all users")
    );
  }

  return {
    findExcess,
    add,
    remove,
    begin({ id, sourceId }) {
      const queue = queues.get(sourceId);
      if (queue?.entries.has(id)) queue.begun.add(id);
    },
    waiting(sourceId, type) {
      let waiting = 0;
      const { entries, begun } = queueOf(sourceId);
      for (const { id, type: own } of entries.values()) if (own === type && !begun.has(id)) waiting += 1;
      return waiting;
    },
    depthOf(sourceId) {
      const { entries, begun } = queueOf(sourceId);
      return entries.size - begun.size;
    },
    isEmpty: (sourceId) => !queues.has(sourceId),
    has: ({ id, sourceId }) => queues.get(sourceId)?.entries.has(id) === true,
    forget(has) {
      const forgotten = [...queues].flatMap(([sourceId, { entries }]) => (has(sourceId) ? [...entries.values()] : []));
      forgotten.forEach(remove);
      return forgotten.map(({ id }) => id);
    },
    depth() {
      let all = 0;
      let running = 0;
      for (const { entries, begun } of queues.values()) {
        all += entries.size;
        running += begun.size;
      }
      return { waiting: all - running, running, bytes: allBytes };
    },
  };
}
