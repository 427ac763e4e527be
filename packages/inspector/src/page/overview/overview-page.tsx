import type { ExecutionSummary } from "@x/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { request } from "../api/client.ts";
import { readPage } from "../api/pages.ts";
import { usePolling } from "../api/polling.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkTo, place, setQuery } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { statusLabel } from "../runs/execution.ts";
import { Part } from "../runs/part.tsx";
import { linkToEmitter, linkToRun } from "../runs/run-links.ts";
import { count, exactTime, span } from "../text/format.ts";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { PlotCard } from "../ui/plot-card.tsx";
import { Ago, Empty, Loading, Problem } from "../ui/status.tsx";
import { type ActiveMinute, type Activity, lastMinutes, totalOf } from "./activity.ts";

const ranges = [
  { value: "15", label: "15 min" },
  { value: "", label: "1 hour" },
  { value: "180", label: "3 hours" },
] as const;
const pollMs = 5_000;
const maxFailures = 8;

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const shortCount = (value: number): string => short.format(value);
const shortSpan = (ms: number): string => (ms < 1 && ms > 0 ? `${ms.toFixed(1)} ms` : span(ms));

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly about?: string;
  readonly tone?: "bad" | "none";
}

const Figure = ({ label, value, about, tone = "none" }: FigureProps): JSX.Element => (
  <div class="figure">
    <dt>{label}</dt>
    <dd class={`number ${tone}`}>{value}</dd>
    {about !== undefined && <dd class="dim about">{about}</dd>}
  </div>
);

function Figures({ minutes }: { readonly minutes: readonly ActiveMinute[] }): JSX.Element {
  const { runs, failed, emitted, dropped, compute_ms: compute } = totalOf(minutes);
  const share = runs === 0 ? 0 : (100 * failed) / runs;
  const p95 = Math.max(0, ...minutes.map(({ p95_ms: ms }) => ms));
  return (
    <dl class="figures">
      <Figure label="Runs" value={count(runs)} />
      <Figure
        label="Failed"
        value={count(failed)}
        about={`${share.toFixed(share < 10 ? 1 : 0)} %`}
        tone={failed > 0 ? "bad" : "none"}
      />
      <Figure
        label="Events"
        value={count(emitted)}
        about={dropped === 0 ? "none dropped" : `${count(dropped)} dropped`}
      />
      <Figure label="Slowest p95" value={shortSpan(p95)} />
      <Figure label="Computing" value={span(compute)} />
    </dl>
  );
}

function Plots({ minutes }: { readonly minutes: readonly ActiveMinute[] }): JSX.Element {
  const plots = useMemo(() => {
    const of = (field: keyof ActiveMinute): number[] => minutes.map((minute) => minute[field]);
    const ofRuns = (field: keyof ActiveMinute): (number | null)[] =>
      minutes.map((minute) => (minute.runs === 0 ? null : minute[field]));
    return {
      times: of("at_ms"),
      runs: [{ label: "Runs", colour: "--accent", values: of("runs"), bars: true }],
      failed: [{ label: "Failed runs", colour: "--bad", values: of("failed"), bars: true }],
      latency: [
        { label: "95th percentile", colour: "--warn", values: ofRuns("p95_ms") },
        { label: "Median", colour: "--accent", values: ofRuns("p50_ms") },
      ],
      queue: [{ label: "Longest wait", colour: "--accent", values: of("queued_ms"), bars: true }],
      compute: [{ label: "Computing", colour: "--ok", values: of("compute_ms"), bars: true }],
      events: [
        { label: "Emitted", colour: "--ok", values: of("emitted"), bars: true },
        { label: "Dropped", colour: "--warn", values: minutes.map(({ dropped }) => (dropped === 0 ? null : dropped)) },
      ],
    };
  }, [minutes]);
  const last = minutes.at(-1);
  const { runs, failed, emitted } = totalOf(minutes);
  const most = (field: keyof ActiveMinute): number => Math.max(0, ...minutes.map((minute) => minute[field]));
  if (!last) return <Empty title="Nothing ran yet" />;
  return (
    <div class="plots">
      <PlotCard title="Runs" value={count(runs)} times={plots.times} lines={plots.runs} show={shortCount} />
      <PlotCard title="Failures" value={count(failed)} times={plots.times} lines={plots.failed} show={shortCount} />
      <PlotCard
        title="Latency"
        value={`at most ${shortSpan(most("p95_ms"))}`}
        times={plots.times}
        lines={plots.latency}
        show={shortSpan}
      />
      <PlotCard title="Events" value={count(emitted)} times={plots.times} lines={plots.events} show={shortCount} />
      <PlotCard
        title="Queue"
        value={`at most ${shortSpan(most("queued_ms"))}`}
        times={plots.times}
        lines={plots.queue}
        show={shortSpan}
      />
      <PlotCard
        title="Compute"
        value={`at most ${shortSpan(most("compute_ms"))} a minute`}
        times={plots.times}
        lines={plots.compute}
        show={shortSpan}
      />
    </div>
  );
}

function Failures({ runs }: { readonly runs: readonly ExecutionSummary[] }): JSX.Element {
  const nameOf = useEmitterNames();
  return (
    <Part title="Last failures" bare end={<a href={linkTo("/runs", { status: "failed" })}>All</a>}>
      {runs.length === 0 ? (
        <Empty title="No failed runs" />
      ) : (
        <ul class="failures">
          {runs.map((run) => (
            <li key={run.execution_id}>
              <span class="dot bad" aria-hidden="true" />
              <a class="cut grow" href={linkToRun(run.execution_id)}>
                {run.error ? `${run.error.name}: ${run.error.message}` : statusLabel(run.status)}
              </a>
              <a class="cut dim" href={linkToEmitter(run.source_id)}>
                {nameOf(run.source_id)}
              </a>
              <span class="dim">
                <Ago at={run.ended_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

interface Loaded {
  readonly activity: Activity;
  readonly failures: readonly ExecutionSummary[];
}

async function load(signal: AbortSignal): Promise<Loaded> {
  const [{ data: activity }, failures] = await Promise.all([
    request<DataOf<Activity>>("GET", "/users/me/activity", { signal }),
    readPage<ExecutionSummary>("/executions", { status: "failed", limit: maxFailures }, signal),
  ]);
  return { activity, failures: failures.data };
}

/** What all sources did in the last hours. */
export default function OverviewPage(): JSX.Element {
  const loaded = useResource("overview", load);
  const range = ranges.find(({ value }) => value === place.value.query.get("minutes"))?.value ?? "";
  const { activity, failures } = loaded.data ?? {};
  const minutes = useMemo(() => (activity ? lastMinutes(activity, Number(range || "60")) : []), [activity, range]);
  usePolling(loaded, pollMs);
  return (
    <>
      <PageHead
        title="Overview"
        actions={<Chips label="Time" value={range} choices={ranges} change={(next) => setQuery({ minutes: next })} />}
      >
        {activity && <span class="dim">counted since {exactTime(activity.since_ms).slice(0, 16)}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!activity && loaded.loading && <Loading />}
        {activity && (
          <>
            <Figures minutes={minutes} />
            <Plots minutes={minutes} />
            <Failures runs={failures ?? []} />
          </>
        )}
      </div>
    </>
  );
}
