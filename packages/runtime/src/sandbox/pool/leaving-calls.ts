import type { Job } from "./job.ts";
import type { Tickets } from "./tickets.ts";

/** How long begun calls wait for their thread, kept busy by another, before they start over elsewhere. */
const silentWaitMs = 100;
/** The same for calls that have sent a request or an answer, which starting over would send again. */
const visibleWaitMs = 2_000;

interface Leaving<Call> {
  readonly running: Call;
  /** Its thread had begun it: it has to start over. */
  readonly begun: boolean;
}

export interface BusyThread<Call> {
  /** The call that keeps the thread busy, and for how long. */
  readonly hogId: number;
  readonly busyMs: number;
  readonly calls: ReadonlyMap<number, Call>;
  readonly tickets: Pick<Tickets, "withdraw">;
}

/**
 * The calls that leave a thread which another call keeps busy; those that had not begun are withdrawn from it.
 * The list is complete before the first is moved: one that comes back to the same thread, free by then, stays there.
 */
export function leavingCalls<Call extends Pick<Job, "ticket" | "isVisible">>(
  ids: Iterable<number>,
  { hogId, busyMs, calls, tickets }: BusyThread<Call>,
): readonly Leaving<Call>[] {
  const leaving: Leaving<Call>[] = [];
  for (const id of ids) {
    const running = calls.get(id);
    if (!running || id === hogId) continue;
    const begun = !tickets.withdraw(running.ticket);
    if (begun && busyMs < (running.isVisible ? visibleWaitMs : silentWaitMs)) continue;
    leaving.push({ running, begun });
  }
  return leaving;
}
