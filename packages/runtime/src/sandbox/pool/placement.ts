import { LRUCache } from "lru-cache";

import type { Job } from "./job.ts";
import { hasRoom, longBounds } from "./long-jobs.ts";
import type { Seat } from "./seat.ts";
import { isHogged, type Seats } from "./seats.ts";

const sourcesKept = 10_000;

export type Weight = "heavy" | "light";

/**
 * Which thread a job goes to: the one that knows its source, else the one with the fewest. Long jobs have a thread to
 * themselves, and leave some to the others. A source whose job was long begins as a long one the next time.
 */
export interface Placement {
  /** Undefined: all threads are kept busy; one more is being started where there may be more. */
  find(job: Job): Seat | undefined;
  /** A thread takes short jobs; else one more is being started where there may be more. */
  isOpen(): boolean;
  /** The long jobs that threads have, each with its thread. */
  long(): Map<Job, Seat>;
  /** The thread knows the source now. */
  settle(job: Job, seat: Seat): void;
  /** A job of the source was long, or short. */
  note(sourceId: string, weight: Weight): void;
  /** Of the source's last job; undefined: it is new. */
  weightOf(sourceId: string): Weight | undefined;
}

export interface PlacementParts {
  readonly seats: Pick<Seats, "used" | "most" | "warm" | "addIfRoom">;
  /** The job that a thread has. */
  jobOf(id: number): Job | undefined;
}

export function createPlacement({ seats, jobOf }: PlacementParts): Placement {
  const weights = new LRUCache<string, Weight>({ max: sourcesKept });
  const homes = new LRUCache<string, Seat>({ max: sourcesKept });

  const isOpen = (seat: Seat): boolean => seat.ready && !seat.closed && !isHogged(seat);
  const longIn = (seat: Seat): Job | undefined => {
    for (const id of seat.calls) {
      const job = jobOf(id);
      if (job?.isLong === true) return job;
    }
    return undefined;
  };
  /** What it knows, else with the fewest jobs. */
  const best = (open: readonly Seat[], { sourceId }: Job): Seat | undefined => {
    const home = homes.get(sourceId);
    if (home && open.includes(home)) return home;
    return open.reduce<Seat | undefined>(
      (found, seat) => (found && found.calls.size <= seat.calls.size ? found : seat),
      undefined,
    );
  };

  function findForLong(job: Job): Seat | undefined {
    const used = [...seats.used].filter((seat) => seat.ready && !seat.closed);
    const long = used.flatMap((seat) => longIn(seat) ?? []);
    if (hasRoom(long, job, longBounds(used.length, seats.most))) {
      return best(
        used.filter((seat) => isOpen(seat) && seat.calls.size === 0),
        job,
      );
    }
    if (hasRoom(long, job, longBounds(seats.most, seats.most))) seats.addIfRoom();
    return undefined;
  }

  const forShort = (): readonly Seat[] => [...seats.used].filter((seat) => isOpen(seat) && !longIn(seat));

  return {
    find(job) {
      seats.warm();
      if (job.isLong) return findForLong(job);
      const found = best(forShort(), job) ?? seats.addIfRoom();
      return found?.ready === true ? found : undefined;
    },
    isOpen() {
      seats.warm();
      return forShort().length > 0 || seats.addIfRoom()?.ready === true;
    },
    long() {
      const found = new Map<Job, Seat>();
      for (const seat of seats.used) {
        const job = seat.closed ? undefined : longIn(seat);
        if (job) found.set(job, seat);
      }
      return found;
    },
    settle: ({ sourceId }, seat) => void homes.set(sourceId, seat),
    note: (sourceId, weight) => void weights.set(sourceId, weight),
    weightOf: (sourceId) => weights.get(sourceId),
  };
}
