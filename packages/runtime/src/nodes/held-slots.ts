import { XError, type Holding } from "@x/model";
import { slotCount, slotOf, type Cluster, type Slots } from "@x/store";

/** The slots of this node: which sources run here, and for which a client waits. */
export interface HeldSlots extends Holding {
  /**
   * Resolves with true when this node runs the source, if need be after the recovery of its slot; with false when the
   * source is another node's.
   */
  isHere(id: string): Promise<boolean>;
  /** True while the source is being handed over. */
  isLeaving(id: string): boolean;
  /** A client waits for work of the source: its slot is not given away before the result is disposed of. */
  enter(id: string): Disposable;
  /** An id whose slot is held here. Waits for a slot if there is none; rejects with `closed` after `close`. */
  drawId(draw: () => string): Promise<string>;
  /** An id whose slot is held here, if one is found at once. */
  drawNow(draw: () => string): string;
  /** The work of these slots runs here from now on. */
  hold(slots: Slots): void;
  /** No new work of these slots begins, unless a client waits for it. */
  leave(slots: Slots): void;
  /** Resolves when no client waits for work of these slots. */
  clientsGone(slots: Slots): Promise<void>;
  /** The slots are another node's. */
  free(slots: Slots): void;
  close(): void;
}

type SlotState = "away" | "held" | "leaving";

/** With one node, every second id has a slot here; with a hundred, every hundredth. */
const maxDraws = 20_000;

export function createHeldSlots(cluster: Pick<Cluster, "owns">): HeldSlots {
  const states: SlotState[] = Array.from({ length: slotCount }, () => "away");
  const clients = new Map<string, number>();
  let changed = Promise.withResolvers<void>();
  let left = Promise.withResolvers<void>();
  const life = { isClosed: false };

  const stateOf = (id: string): SlotState => states[slotOf(id)] ?? "away";

  function set(slots: Slots, state: SlotState): void {
    for (const slot of slots.list) states[slot] = state;
    const before = changed;
    changed = Promise.withResolvers();
    before.resolve();
  }

  function exit(id: string): void {
    const count = (clients.get(id) ?? 0) - 1;
    if (count > 0) {
      clients.set(id, count);
      return;
    }
    clients.delete(id);
    const before = left;
    left = Promise.withResolvers();
    before.resolve();
  }

  /** Draws until the slot of the id is held here; undefined when no slot is. */
  function findHeld(draw: () => string): string | undefined {
    if (!states.includes("held")) return undefined;
    for (let drawn = 0; drawn < maxDraws; drawn += 1) {
      const id = draw();
      if (stateOf(id) === "held") return id;
    }
    return undefined;
  }

  return {
    isHeld: (id) => stateOf(id) === "held",
    mayRun(id) {
      const state = stateOf(id);
      return state === "held" || (state === "leaving" && clients.has(id));
    },
    isLeaving: (id) => stateOf(id) === "leaving",
    async isHere(id) {
      while (cluster.owns(id) && !life.isClosed) {
        if (stateOf(id) === "held") return true;
        await changed.promise;
      }
      return false;
    },
    enter(id) {
      clients.set(id, (clients.get(id) ?? 0) + 1);
      let isOver = false;
      return {
        [Symbol.dispose]() {
          if (!isOver) exit(id);
          isOver = true;
        },
      };
    },
    async drawId(draw) {
      while (!life.isClosed) {
        const id = findHeld(draw);
        if (id !== undefined) return id;
        await changed.promise;
      }
      throw new XError("closed", []);
    },
    drawNow: (draw) => findHeld(draw) ?? draw(),
    hold: (slots) => set(slots, "held"),
    leave: (slots) => set(slots, "leaving"),
    async clientsGone({ has }) {
      while ([...clients.keys()].some(has)) await left.promise;
    },
    free: (slots) => set(slots, "away"),
    close() {
      life.isClosed = true;
      changed.resolve();
    },
  };
}
