import type { Job } from "./job.ts";
import type { Tickets } from "./tickets.ts";

/** How long calls that have begun wait for their busy thread before they start over elsewhere. */
const silentWaitMs = 100;
/** The same for calls that have sent a request or a response, which starting over would repeat. */
const visibleWaitMs = 2_000;

interface LeavingCall<Call> {
  readonly call: Call;
  /** The thread had begun it, so it has to start over. */
  readonly begun: boolean;
}

export interface BusyThread<Call> {
  /** The call that keeps the thread busy. */
  readonly busyId: number;
  readonly busyMs: number;
  readonly calls: ReadonlyMap<number, Call>;
  readonly tickets: Pick<Tickets, "withdraw">;
}

/**
 * The calls that leave a busy thread; those that it has not begun are withdrawn. The list is complete before the first call
 * is moved, so a call that comes back to the same thread stays there.
 */
export function leavingCalls<Call extends Pick<Job, "ticket" | "isVisible">>(
  ids: Iterable<number>,
  { busyId, busyMs, calls, tickets }: BusyThread<Call>,
): readonly LeavingCall<Call>[] {
  const leaving: LeavingCall<Call>[] = [];
  for (const id of ids) {
    const call = calls.get(id);
    if (!call || id === busyId) continue;
    const begun = !tickets.withdraw(call.ticket);
    if (begun && busyMs < (call.isVisible ? visibleWaitMs : silentWaitMs)) continue;
    leaving.push({ call, begun });
  }
  return leaving;
}
