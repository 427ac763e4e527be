import type { SourceActivity } from "../api/api.ts";
import type { StoredExecution } from "../api/executions-api.ts";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import type { Clock } from "@x/model";
import type { Store } from "@x/store";
import type { Timers } from "../timers/timers.ts";

export interface ActivityParts {
  readonly store: Pick<Store, "eventCounts">;
  readonly backlog: Pick<Backlog, "depthOf">;
  readonly timers: Pick<Timers, "ticksOf">;
  readonly clock: Pick<Clock, "now">;
}

const hourMs = 3_600_000;
const hours = 24;
const shownTicks = 5;

/** The last 24 hours, of which the present one is not over. */
function lastHours(now: number): { readonly from: number; readonly ms: number; readonly count: number } {
  const present = Math.floor(now / hourMs) * hourMs;
  return { from: present - (hours - 1) * hourMs, ms: hourMs, count: hours };
}

/** True when a source has logged errors in the hours that its activity counts. */
export async function hasFailed(id: string, now: number, store: ActivityParts["store"]): Promise<boolean> {
  const { from, ms, count } = lastHours(now);
  const [errors = 0] = await store.eventCounts(id, "$errors", { from, ms: ms * count, count: 1 });
  return errors > 0;
}

/** What a source or workflow does now, and did in the last day. */
export async function readActivity(
  id: string,
  lastExecution: StoredExecution | undefined,
  { store, backlog, timers, clock }: ActivityParts,
): Promise<SourceActivity> {
  const spans = lastHours(clock.now());
  const [nextTicksAt, eventsPerHour, failuresPerHour] = await Promise.all([
    timers.ticksOf(id, shownTicks),
    store.eventCounts(id, "emits", spans),
    store.eventCounts(id, "$errors", spans),
  ]);
  return { nextTicksAt, queueDepth: backlog.depthOf(id), eventsPerHour, failuresPerHour, lastExecution };
}
