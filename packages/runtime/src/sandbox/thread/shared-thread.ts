import type { GuestCall } from "./guest-call.ts";

/** Time of another call beyond which a deadline moves. */
const hogMs = 50;

/** A call kept the thread busy for so long: that time is not the others'. */
export function extendOthers(calls: Iterable<GuestCall>, busy: GuestCall, ms: number): void {
  if (ms < hogMs) return;
  for (const call of calls) if (call !== busy) call.extend(ms);
}
