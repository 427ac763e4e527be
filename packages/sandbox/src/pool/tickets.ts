import { ticketState } from "../thread/messages.ts";

/** Claims on posted calls, in shared memory: thread and scheduler race for each with one compare-and-exchange. */
export interface Tickets {
  readonly buffer: SharedArrayBuffer;
  take(): number;
  /** True: the thread had not begun the call, which may be posted elsewhere with a new ticket. */
  withdraw(ticket: number): boolean;
}

/** Far more than there are calls in flight, so a ticket is free when it is taken again. */
const count = 65_536;

export function createTickets(): Tickets {
  const buffer = new SharedArrayBuffer(count * 4);
  const cells = new Int32Array(buffer);
  let next = 0;
  return {
    buffer,
    take() {
      next = (next + 1) % count;
      Atomics.store(cells, next, ticketState.waiting);
      return next;
    },
    withdraw: (ticket) =>
      Atomics.compareExchange(cells, ticket, ticketState.waiting, ticketState.withdrawn) === ticketState.waiting,
  };
}
