import type { Clock } from "@x/model";
import type { DeliveryLane } from "@x/store";
import { createRotation, type Turn } from "./rotation.ts";

/** The deliveries of one emitter to one webhook; one attempt at a time. */
export type Lane = Pick<DeliveryLane, "webhookId" | "emitterId">;

/** Which lanes have something due, wait for a time, or have an attempt under way. */
export interface DeliveryLanes {
  /** Something of the lane is due now. */
  ready(lane: Lane): void;
  /** Something of the lane is due at this time. */
  readyAt(lane: Lane, at: number): void;
  /** The lane's next delivery is too large for a spare socket, or no longer. */
  setLarge(lane: Lane, isLarge: boolean): void;
  /** The next lane that gets a socket; it is under way until `finish`. */
  take(): Turn | undefined;
  /** Ends the attempt of a lane; `nextAt`: when something of it is due again. */
  finish(lane: Lane, nextAt: number | undefined): void;
  /** Forgets the lanes of these emitters that wait. */
  forget(has: (emitterId: string) => boolean): void;
  /** Cancels every wait. */
  close(): void;
}

const keyOf = ({ webhookId, emitterId }: Lane): string => `${webhookId} ${emitterId}`;

/** `onReady` is called when a lane that waited for a time becomes ready. */
export function createDeliveryLanes(sockets: number, clock: Clock, onReady: () => void): DeliveryLanes {
  const rotation = createRotation(sockets);
  /** Cancels the wait of each lane that waits for a time. */
  const waits = new Map<string, { readonly emitterId: string; cancel(): void }>();
  /** Lanes whose attempt is under way or being committed. True: something became due meanwhile. */
  const busy = new Map<string, boolean>();
  const large = new Set<string>();
  let closed = false;

  function ready(lane: Lane): void {
    const key = keyOf(lane);
    waits.get(key)?.cancel();
    waits.delete(key);
    if (busy.has(key)) busy.set(key, true);
    else rotation.add(lane.webhookId, lane.emitterId, large.has(key));
  }

  function readyAt(lane: Lane, at: number): void {
    if (closed) return;
    if (at <= clock.now()) return ready(lane);
    const key = keyOf(lane);
    waits.get(key)?.cancel();
    const cancel = clock.wakeAt(at, () => {
      ready(lane);
      onReady();
    });
    waits.set(key, { emitterId: lane.emitterId, cancel });
  }

  return {
    ready,
    readyAt,
    setLarge(lane, isLarge) {
      if (isLarge) large.add(keyOf(lane));
      else large.delete(keyOf(lane));
    },
    take() {
      const turn = rotation.take();
      if (turn) busy.set(keyOf(turn), false);
      return turn;
    },
    finish(lane, nextAt) {
      const isDue = busy.get(keyOf(lane)) === true;
      busy.delete(keyOf(lane));
      if (isDue) ready(lane);
      else if (nextAt !== undefined) readyAt(lane, nextAt);
    },
    forget(has) {
      for (const [key, { emitterId, cancel }] of waits) {
        if (!has(emitterId)) continue;
        cancel();
        waits.delete(key);
      }
      rotation.forget(has);
    },
    close() {
      closed = true;
      for (const { cancel } of waits.values()) cancel();
    },
  };
}
