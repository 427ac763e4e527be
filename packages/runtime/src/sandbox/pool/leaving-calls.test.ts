import { describe, expect, it } from "vitest";

import { leavingCalls } from "./leaving-calls.ts";
import { ticketState } from "../thread/messages.ts";
import { createTickets } from "./tickets.ts";

interface Call {
  readonly name: string;
  readonly isVisible: boolean;
  ticket: number;
}

/** A thread with these calls, of which `begun` were claimed by it. */
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
  list.map(({ running, begun }) => `${running.name}${begun ? " begun" : ""}`);

describe("calls that leave a busy thread", () => {
  it("are those that have not begun, at once", () => {
    const { tickets, calls, ids } = threadWith(["hog", "begun", "waits"], ["hog", "begun"]);
    expect(show(leavingCalls(ids, { hogId: 1, busyMs: 30, calls, tickets }))).toEqual(["waits"]);
  });

  it("are also those that have begun, later; those that were heard outside last of all", () => {
    const { tickets, calls, ids } = threadWith(["hog", "silent", "heard"], ["hog", "silent", "heard"], ["heard"]);
    const after = (busyMs: number): string[] => show(leavingCalls(ids, { hogId: 1, busyMs, calls, tickets }));
    expect(after(99)).toEqual([]);
    expect(after(100)).toEqual(["silent begun"]);
    expect(after(2_000)).toEqual(["silent begun", "heard begun"]);
  });

  it("leave once, also when one comes back to the same thread while the others are moved", () => {
    const { tickets, calls, ids } = threadWith(["hog", "a", "b"], ["hog"]);
    let nextId = 10;
    const moved: string[] = [];
    for (const { running } of leavingCalls(ids, { hogId: 1, busyMs: 30, calls, tickets })) {
      moved.push(running.name);
      expect(moved.length).toBeLessThanOrEqual(2);
      running.ticket = tickets.take();
      nextId += 1;
      calls.set(nextId, running);
      ids.add(nextId);
    }
    expect(moved).toEqual(["a", "b"]);
  });
});
