import { describe, expect, it } from "vitest";

import { leavingCalls } from "./leaving-calls.ts";
import { ticketState } from "../thread/messages.ts";
import { createTickets } from "./tickets.ts";

interface Call {
  readonly name: string;
  readonly isVisible: boolean;
  ticket: number;
}

/** A thread with these calls, of which it has claimed `begun`. */
function threadWith(names: readonly string[], begun: readonly string[] = [], visible: readonly string[] = []) {
  const tickets = createTickets();
  const cells = new Int32Array(tickets.buffer);
  const calls = new Map<number, Call>();
  for (const [index, name] of names.entries()) {
    const ticket = tickets.take();
    if (begun.includes(name)) cells[ticket] = ticketState.taken;
    calls.set(index + 1, { name, ticket, isVisible: visible.includes(name) });
  }
  return { tickets, calls, ids: new Set(calls.keys()) };
}
const show = (list: ReturnType<typeof leavingCalls<Call>>): string[] =>
  list.map(({ call, begun }) => `${call.name}${begun ? " begun" : ""}`);

describe("calls that leave a busy thread", () => {
  it("are at once those that have not begun", () => {
    const { tickets, calls, ids } = threadWith(["busy", "begun", "waits"], ["busy", "begun"]);
    expect(show(leavingCalls(ids, { busyId: 1, busyMs: 30, calls, tickets }))).toEqual(["waits"]);
  });

  it("are later those that have begun, and last those that are visible outside", () => {
    const { tickets, calls, ids } = threadWith(
      ["busy", "silent", "visible"],
      ["busy", "silent", "visible"],
      ["visible"],
    );
    const after = (busyMs: number): string[] => show(leavingCalls(ids, { busyId: 1, busyMs, calls, tickets }));
    expect(after(99)).toEqual([]);
    expect(after(100)).toEqual(["silent begun"]);
    expect(after(2_000)).toEqual(["silent begun", "visible begun"]);
  });

  it("leave once, even if one comes back to the same thread while the others are moved", () => {
    const { tickets, calls, ids } = threadWith(["busy", "a", "b"], ["busy"]);
    let nextId = 10;
    const moved: string[] = [];
    for (const { call } of leavingCalls(ids, { busyId: 1, busyMs: 30, calls, tickets })) {
      moved.push(call.name);
      expect(moved.length).toBeLessThanOrEqual(2);
      call.ticket = tickets.take();
      nextId += 1;
      calls.set(nextId, call);
      ids.add(nextId);
    }
    expect(moved).toEqual(["a", "b"]);
  });
});
