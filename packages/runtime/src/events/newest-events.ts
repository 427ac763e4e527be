import { setImmediate as nextTurn } from "node:timers/promises";

import { compareEventIds, type EventId, type Paged, type StoredEvent } from "@x/model";
import type { EventRecordPage } from "@x/store";

export interface NewestQuery {
  readonly limit: number;
  readonly matches?: (event: StoredEvent) => boolean;
  readonly admit?: (bytes: number) => void;
}

export interface Newest {
  readonly items: readonly StoredEvent[];
  /** False when the search ended before all events were read that may belong to them. */
  readonly isWhole: boolean;
}

/** An emitter, and its newest event as far as it is known. */
export interface EmitterHead {
  readonly emitterId: string;
  readonly newest: EventId | undefined;
}

/** Most emitters that are searched. */
export const maxEmitters = 1_000;
/** Most characters of payloads that are searched, and that are returned. */
const maxSearched = 16 * 1024 * 1024;
const maxReturned = 8 * 1024 * 1024;
/** Other requests run between two reads. */
const piece = { limit: 20, bytes: 256 * 1024 } as const;

const sizeOf = (events: readonly StoredEvent[]): number => events.reduce((sum, { payload }) => sum + payload.length, 0);

/** The newest of them that fit, newest first; at least one. */
function cut(events: readonly StoredEvent[], limit: number): StoredEvent[] {
  const sorted = events.toSorted((a, b) => compareEventIds(b.id, a.id)).slice(0, limit);
  let left = maxReturned;
  const beyond = sorted.findIndex(({ payload }, index) => (left -= payload.length) < 0 && index > 0);
  return beyond === -1 ? sorted : sorted.slice(0, beyond);
}

/**
 * The newest events of emitters that match. The emitters are in the order of their newest events, so that those are not read
 * whose events are all older.
 */
export async function readNewest(
  emitters: readonly EmitterHead[],
  { limit, matches = () => true, admit }: NewestQuery,
  read: (emitterId: string, page: EventRecordPage) => Promise<Paged<StoredEvent>>,
): Promise<Newest> {
  let found: readonly StoredEvent[] = [];
  let left = maxSearched;
  const isOlder = (id: EventId): boolean => {
    const last = found[limit - 1];
    return last !== undefined && compareEventIds(id, last.id) <= 0;
  };
  for (const [index, { emitterId, newest }] of emitters.entries()) {
    if (newest && isOlder(newest)) break;
    if (index === maxEmitters) return { items: found, isWhole: false };
    for (let after: EventId | undefined; ;) {
      const held = sizeOf(found);
      const { items } = await read(emitterId, {
        ...piece,
        ...(after && { after }),
        ...(admit && { admit: (bytes) => admit(held + bytes) }),
      });
      left -= sizeOf(items);
      found = cut([...found, ...items.filter(matches)], limit);
      if (left < 0) return { items: found, isWhole: false };
      after = items.at(-1)?.id;
      if (!after || isOlder(after)) break;
      await nextTurn();
    }
  }
  return { items: found, isWhole: true };
}
