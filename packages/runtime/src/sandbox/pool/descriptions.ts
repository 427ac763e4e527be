import type { Bundle, DescribeLimits, Description } from "../contract.ts";
import type { FromWorker } from "../thread/messages.ts";
import type { Seat } from "./seat.ts";
import { endedDescription, isToBlame, type ThreadEnd } from "./thread-end.ts";

const maxRestarts = 10;

interface Order {
  readonly bundle: Bundle;
  readonly limits: DescribeLimits;
  readonly resolve: (description: Description) => void;
  restarts: number;
}

/** Modules that are being evaluated to see what they export. */
export interface Descriptions {
  readonly size: number;
  ask(bundle: Bundle, limits: DescribeLimits): Promise<Description>;
  /** Answers; the bundle that was asked about, or undefined when nobody waits any more. */
  answer(message: Extract<FromWorker, { k: "described" }>): Bundle | undefined;
  /** The thread with this order is gone: it starts over elsewhere, or has failed. */
  lost(id: number, end: ThreadEnd): void;
}

export interface DescriptionsParts {
  nextId(): number;
  takeTicket(): number;
  findSeat(): Seat;
  posted(): void;
}

export function createDescriptions({ nextId, takeTicket, findSeat, posted }: DescriptionsParts): Descriptions {
  const orders = new Map<number, Order>();

  function post(id: number, { bundle, limits }: Order): void {
    const seat = findSeat();
    seat.take(id);
    seat.post({ k: "describe", id, ticket: takeTicket(), code: bundle.code, limits });
    posted();
  }

  return {
    get size() {
      return orders.size;
    },
    ask: (bundle, limits) =>
      new Promise((resolve) => {
        const id = nextId();
        const order = { bundle, limits, resolve, restarts: 0 };
        orders.set(id, order);
        post(id, order);
      }),
    answer({ id, error, json }) {
      const order = orders.get(id);
      orders.delete(id);
      order?.resolve(error ? { ok: false, error } : { ok: true, json: json ?? "null" });
      return order?.bundle;
    },
    lost(id, end) {
      const order = orders.get(id);
      if (!order) return;
      if (end.isFinal || isToBlame(end, order.restarts, maxRestarts)) {
        orders.delete(id);
        order.resolve(endedDescription(order.limits, end));
        return;
      }
      if (!end.isCleared) order.restarts += 1;
      post(id, order);
    },
  };
}
