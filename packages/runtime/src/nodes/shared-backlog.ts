import type { Backlog, BacklogLimits, Excess } from "../invocation/inbox/backlog.ts";
import { monotonicMs } from "@x/model";
import type { Store } from "@x/store";

/** What a commit asks of the inboxes of listening sources. */
export type FanOutBacklog = Pick<Backlog, "findExcess" | "add" | "remove">;

export interface SharedBacklogParts {
  readonly own: FanOutBacklog;
  readonly limits: BacklogLimits;
  readonly store: Pick<Store, "triggers">;
  isHeld(sourceId: string): boolean;
}

/** The inbox of a source of another node, as this node knows it. */
interface Inbox {
  count: number;
  bytes: number;
  /** Added since the inbox was read. */
  added: number;
  readAt: number;
  isReading: boolean;
}

/** Two reads of one inbox are at least so far apart, in ms. */
const minMs = 250;

/**
 * Limits the inboxes of all sources. Of sources of other nodes it counts what this node stores for them, and reads from
 * time to time what is there: each node may exceed a limit by a quarter.
 */
export function createSharedBacklog({ own, limits, store, isHeld }: SharedBacklogParts): FanOutBacklog {
  const inboxes = new Map<string, Inbox>();
  const { inboxPerSource: most, inboxBytesPerSource: maxBytes } = limits;

  async function read(sourceId: string, inbox: Inbox): Promise<void> {
    inbox.isReading = true;
    try {
      const heads = await store.triggers(sourceId);
      inbox.count = heads.length;
      inbox.bytes = heads.reduce((sum, { bytes }) => sum + bytes, 0);
      inbox.added = 0;
      if (heads.length === 0) inboxes.delete(sourceId);
    } finally {
      inbox.isReading = false;
      inbox.readAt = monotonicMs();
    }
  }

  function readLater(sourceId: string, inbox: Inbox): void {
    if (inbox.isReading || monotonicMs() - inbox.readAt < minMs) return;
    // While the store cannot be read, the counts stay.
    read(sourceId, inbox).catch(() => undefined);
  }

  const exceeds = (got: number, limit: number, unit: string): Excess | undefined =>
    got > limit ? { limit: `${limit} ${unit}`, got: String(got) } : undefined;

  return {
    findExcess(trigger) {
      const { sourceId, bytes } = trigger;
      if (isHeld(sourceId)) return own.findExcess(trigger);
      const inbox = inboxes.get(sourceId);
      const excess =
        exceeds((inbox?.count ?? 0) + 1, most, "triggers") ?? exceeds((inbox?.bytes ?? 0) + bytes, maxBytes, "bytes");
      if (inbox && excess) readLater(sourceId, inbox);
      return excess;
    },
    add(trigger) {
      const { sourceId, bytes } = trigger;
      if (isHeld(sourceId)) {
        own.add(trigger);
        return;
      }
      const inbox = inboxes.get(sourceId) ?? { count: 0, bytes: 0, added: 0, readAt: 0, isReading: false };
      inbox.count += 1;
      inbox.bytes += bytes;
      inbox.added += 1;
      inboxes.set(sourceId, inbox);
      if (inbox.added > most / 4 || inbox.bytes > maxBytes / 4) readLater(sourceId, inbox);
    },
    remove(trigger) {
      own.remove(trigger);
      const inbox = inboxes.get(trigger.sourceId);
      if (inbox && inbox.count > 0) inbox.count -= 1;
    },
  };
}
