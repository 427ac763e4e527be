/** What happened in one minute. Times are ms. */
export interface ActiveMinute {
  readonly at_ms: number;
  readonly runs: number;
  readonly failed: number;
  readonly emitted: number;
  readonly dropped: number;
  readonly compute_ms: number;
  /** The longest wait in the queue. */
  readonly queued_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

export interface Activity {
  readonly now_ms: number;
  /** When counting began. */
  readonly since_ms: number;
  /** Only minutes with runs, oldest first. */
  readonly minutes: readonly ActiveMinute[];
}

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
