import { ticketState } from "../thread/messages.ts";

/** Shared claims on posted calls: worker and scheduler race for each with one compare-and-exchange. */
export interface Tickets {
  readonly buffer: SharedArrayBuffer;
  take(): number;
  /** True: the worker had not begun; the call may be posted elsewhere under a new ticket. */
  withdraw(ticket: number): boolean;
}

const count = 65_536;

export function createTickets(): Tickets {
  const buffer = new SharedArrayBuffer(count * 4);
  const cells = new Int32Array(buffer);
  let next = 0;
  return {
    buffer,
    take() {
      // A ticket comes round again after 65,536 others; calls in flight are far fewer.
      next = (next + 1) % count;
      Atomics.store(cells, next, ticketState.waiting);
      return next;
    },
    withdraw: (ticket) =>
      Atomics.compareExchange(cells, ticket, ticketState.waiting, ticketState.withdrawn) === ticketState.waiting,
  };
}
