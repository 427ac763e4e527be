import { setImmediate as nextTurn } from "node:timers/promises";

import type { Logger } from "@x/runtime";
import { type ClusterHandlers, createSlots, monotonicMs, slotCount, slotOf } from "@x/runtime/store";

import type { SlotTable } from "./slot-table.ts";
import { createHandover } from "./handover.ts";

/** What an ownership needs of its node. */
export interface OwnershipParts {
  readonly nodeId: string;
  readonly handlers: Pick<ClusterHandlers, "gained" | "losing" | "usedSlots">;
  readonly logger: Logger;
  /** Takes the free slots that are assigned to this node. */
  claim(): Promise<readonly number[]>;
  /** Gives slots away, after every commit that was submitted before. Rejects while there is no connection. */
  release(slots: readonly number[]): Promise<void>;
  /** Slots were gained or given away. */
  moved(): void;
  /** Waits before something is tried again. */
  pause(): Promise<void>;
  /** Lets `follow` be called after so many ms, once for all calls until then. */
  followAfter(ms: number): void;
  /** Another node has slots of this one: this one must not go on. */
  leaseLost(): void;
}

/** The slots of this node. */
export interface Ownership {
  owns(id: string): boolean;
  /** Those whose work runs here: gained, and not on their way out. */
  running(): readonly number[];
  /** Grows whenever slots were given away: a table that was read before is old. */
  releases(): number;
  /** Follows the table. `isReady`: the node has been there for a while. */
  follow(table: SlotTable, isReady: (nodeId: string) => boolean): Promise<void>;
  /** Resolves when no slot is on its way in or out. */
  settled(): Promise<void>;
  /** True when it has no slot. */
  isEmpty(): boolean;
  /** Forgets all. */
  end(): void;
}

type State = "gaining" | "running" | "losing";

/** Slots that are drained together: one long run holds back those beside it, and no others. */
const groupSize = 8;

const groupsOf = (slots: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(slots.length / groupSize) }, (_, n) =>
    slots.slice(n * groupSize, (n + 1) * groupSize),
  );

export function createOwnership(parts: OwnershipParts): Ownership {
  const { nodeId, handlers, logger } = parts;
  const states: (State | undefined)[] = Array.from({ length: slotCount });
  const moves = new Set<Promise<void>>();
  let released = 0;
  const ending = new AbortController();
  let drained: number[] = [];
  const handover = createHandover();

  const mark = (slots: readonly number[], state: State | undefined): void => {
    for (const slot of slots) states[slot] = state;
  };
  const slotsIn = (...wanted: readonly (State | undefined)[]): number[] =>
    states.flatMap((state, slot) => (state !== undefined && wanted.includes(state) ? [slot] : []));
  const move = (work: Promise<void>): void => {
    const tracked = work.finally(() => moves.delete(tracked));
    moves.add(tracked);
  };

  async function gain(slots: readonly number[]): Promise<void> {
    mark(slots, "gaining");
    while (!ending.signal.aborted) {
      try {
        await handlers.gained(createSlots(slots));
        mark(ending.signal.aborted ? [] : slots, "running");
        parts.moved();
        return;
      } catch (error) {
        logger.warn("work of sources from another node could not be read; trying again", { error: String(error) });
        await parts.pause();
      }
    }
  }

  async function lose(slots: readonly number[]): Promise<void> {
    try {
      await handlers.losing(createSlots(slots));
    } catch (error) {
      logger.error("sources that go to another node could not be drained", { error: String(error) });
    }
    drained.push(...slots);
    // Groups that are drained in one turn of the event loop go together.
    await nextTurn();
    const together = drained;
    drained = [];
    if (together.length > 0) await giveAway(together);
  }

  async function giveAway(slots: readonly number[]): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await parts.release(slots);
        released += 1;
        mark(slots, undefined);
        parts.moved();
        return;
      } catch (error) {
        logger.debug?.("slots could not be given away yet", { error: String(error) });
        await parts.pause();
      }
    }
  }

  return {
    owns(id) {
      const state = states[slotOf(id)];
      return state === "running" || state === "gaining";
    },
    running: () => slotsIn("running"),
    releases: () => released,
    async follow({ owners, targets }, isReady) {
      const mine = (slot: number): boolean => owners[slot] === nodeId;
      if (slotsIn("running", "gaining").some((slot) => !mine(slot))) return parts.leaseLost();
      const others = slotsIn("running").filter((slot) => targets[slot] !== nodeId);
      const { usedSlots } = handlers;
      const { slots: leaving, waitMs } = handover.next(others, { usedSlots, targets, isReady }, monotonicMs());
      if (waitMs !== undefined) parts.followAfter(waitMs);
      mark(leaving, "losing");
      for (const group of groupsOf(leaving)) move(lose(group));
      // Claimed, but the answer was lost.
      const idle = owners.flatMap((_, slot) => (states[slot] === undefined ? [slot] : []));
      const isFree = idle.some((slot) => owners[slot] === null && targets[slot] === nodeId);
      const claimed = isFree ? await parts.claim() : [];
      const gained = [...idle.filter(mine), ...claimed];
      if (gained.length > 0 && !ending.signal.aborted) move(gain(gained));
    },
    async settled() {
      while (moves.size > 0) await Promise.all(moves);
    },
    isEmpty: () => slotsIn("running", "gaining", "losing").length === 0,
    end() {
      ending.abort();
      states.fill(undefined);
    },
  };
}
