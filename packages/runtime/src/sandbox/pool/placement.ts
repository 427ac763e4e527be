import { LRUCache } from "lru-cache";

import type { Seat } from "./seat.ts";
import { isHogged, type Seats } from "./seats.ts";

const sourcesKept = 10_000;

/**
 * Which thread a call goes to: the one that knows its source, else the one with the fewest calls. Heavy sources, whose
 * calls have kept a thread busy or ended it, have a thread to themselves, and half of all threads at the most.
 */
export interface Placement {
  /** Undefined: all threads are kept busy and no more may start. */
  find(sourceId: string): Seat | undefined;
  /** The thread knows the source now. */
  settle(sourceId: string, seat: Seat): void;
  markHeavy(sourceId: string): void;
}

export interface PlacementParts {
  readonly seats: Pick<Seats, "used" | "warm" | "addIfRoom">;
  readonly most: number;
  /** The source of a call that a thread has. */
  sourceOf(callId: number): string | undefined;
}

export function createPlacement({ seats, most, sourceOf }: PlacementParts): Placement {
  const heavy = new LRUCache<string, true>({ max: sourcesKept });
  const homes = new LRUCache<string, Seat>({ max: sourcesKept });
  const mostHeavy = Math.max(1, Math.floor(most / 2));

  const isOpen = (seat: Seat): boolean => !seat.closed && !isHogged(seat);
  const runsHeavy = (seat: Seat): boolean => [...seat.calls].some((id) => heavy.has(sourceOf(id) ?? ""));

  return {
    find(sourceId) {
      seats.warm();
      const isHeavy = heavy.has(sourceId);
      const home = homes.get(sourceId);
      const used = [...seats.used];
      const open = used.filter((seat) => isOpen(seat) && (isHeavy ? seat.calls.size === 0 : !runsHeavy(seat)));
      if (isHeavy && used.filter(runsHeavy).length >= mostHeavy) return undefined;
      if (home && open.includes(home)) return home;
      const least = open.reduce<Seat | undefined>(
        (found, seat) => (found && found.calls.size <= seat.calls.size ? found : seat),
        undefined,
      );
      return least ?? seats.addIfRoom();
    },
    settle: (sourceId, seat) => void homes.set(sourceId, seat),
    markHeavy: (sourceId) => void heavy.set(sourceId, true),
  };
}
