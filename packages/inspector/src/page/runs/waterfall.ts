import type { ExecutionDetail } from "@x/client";

/** One bar of the waterfall. Times are milliseconds after the run was queued. */
export interface Bar {
  readonly kind: "queued" | "sandbox" | "step" | "call" | "commit";
  readonly label: string;
  readonly startMs: number;
  /** Undefined: it had not ended. */
  readonly ms: number | undefined;
  /** Index of the request, for calls. */
  readonly call?: number;
  readonly failed?: boolean;
}

export interface Waterfall {
  readonly totalMs: number;
  readonly bars: readonly Bar[];
}

type Timed = Pick<ExecutionDetail, "phases" | "calls" | "steps" | "status" | "started_at" | "ended_at">;

/** A wait for a thread that is shown. */
const minWaitMs = 2;

/** The phases, steps and requests of a run, in the order in which they began. */
export function waterfallOf({ phases, calls, steps, status, started_at: from, ended_at: to }: Timed): Waterfall {
  const { queued_ms: queued, sandbox_ms: sandbox, commit_ms: commit } = phases;
  const taken = Math.max(sandbox, to - from);
  // What the code did not take is the wait for its thread; the times of requests count from the beginning of that wait.
  const wait = taken - sandbox < minWaitMs ? 0 : taken - sandbox;
  const end = queued + wait + sandbox;
  const inside: Bar[] = [
    ...steps.map(({ name, started_ms: at }, index): Bar => {
      const next = steps[index + 1]?.started_ms ?? wait + sandbox;
      const failed = status !== "ok" && index === steps.length - 1;
      return { kind: "step", label: name, startMs: queued + at, ms: Math.max(0, next - at), failed };
    }),
    ...calls.map((call, index): Bar => ({
      kind: "call",
      label: `${call.method} ${call.url}`,
      startMs: queued + call.started_ms,
      ms: call.duration_ms ?? undefined,
      call: index,
      failed: call.status === null || call.status >= 400,
    })),
  ];
  const bars: Bar[] = [
    ...(queued > 0 ? [{ kind: "queued", label: "Queue", startMs: 0, ms: queued } satisfies Bar] : []),
    ...(wait > 0 ? [{ kind: "queued", label: "Thread", startMs: queued, ms: wait } satisfies Bar] : []),
    { kind: "sandbox", label: "Run", startMs: queued + wait, ms: sandbox, failed: status !== "ok" },
    ...inside.toSorted((a, b) => a.startMs - b.startMs),
    ...(commit === null ? [] : [{ kind: "commit", label: "Commit", startMs: end, ms: commit } satisfies Bar]),
  ];
  const ends = bars.map(({ startMs, ms }) => startMs + (ms ?? 0));
  return { totalMs: Math.max(0.001, ...ends), bars };
}

/** Round times for the axis: at most five, from 0. */
export function ticksOf(totalMs: number): number[] {
  const rough = totalMs / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = 0; at <= totalMs; at += step) ticks.push(Number(at.toPrecision(12)));
  return ticks;
}
