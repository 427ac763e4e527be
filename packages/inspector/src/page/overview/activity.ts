import type { DataOf } from "@x/client";
export type Activity = DataOf<"GET /users/me/activity">;
export type ActiveMinute = Activity["minutes"][number];

const minuteMs = 60_000;

const quiet = (at: number): ActiveMinute => ({
  at_ms: at,
  runs: 0,
  failed: 0,
  emitted: 0,
  dropped: 0,
  compute_ms: 0,
  queued_ms: 0,
  p50_ms: 0,
  p95_ms: 0,
});

/** The last minutes, also those without runs, oldest first. */
export function lastMinutes({ now_ms: now, minutes }: Activity, count: number): ActiveMinute[] {
  const known = new Map(minutes.map((minute) => [minute.at_ms, minute]));
  const last = Math.floor(now / minuteMs) * minuteMs;
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * minuteMs;
    return known.get(at) ?? quiet(at);
  });
}

/** The sums of some minutes. */
export function totalOf(
  minutes: readonly ActiveMinute[],
): Pick<ActiveMinute, "runs" | "failed" | "emitted" | "dropped" | "compute_ms"> {
  const sum = (field: "runs" | "failed" | "emitted" | "dropped" | "compute_ms"): number =>
    minutes.reduce((total, minute) => total + minute[field], 0);
  return {
    runs: sum("runs"),
    failed: sum("failed"),
    emitted: sum("emitted"),
    dropped: sum("dropped"),
    compute_ms: sum("compute_ms"),
  };
}
