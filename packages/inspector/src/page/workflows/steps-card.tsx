import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { readPage } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import type { RunDetail, RunSummary } from "../runs/execution.ts";
import { linkToRun } from "../runs/run-table.tsx";
import { waterfallOf } from "../runs/waterfall.ts";
import { span } from "../text/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Ago } from "../ui/status.tsx";

async function lastRun(id: string, signal: AbortSignal): Promise<RunDetail | undefined> {
  const path = `/workflows/${encodeURIComponent(id)}/executions`;
  const [last] = (await readPage<RunSummary>(path, { limit: 1 }, signal)).data;
  if (!last) return undefined;
  return (await request<DataOf<RunDetail>>("GET", `/executions/${last.execution_id}`, { signal })).data;
}

/** The steps of the last run with their times. */
export function StepsCard({ id }: { readonly id: string }): JSX.Element | null {
  const run = useResource(`steps ${id}`, (signal) => lastRun(id, signal)).data;
  if (!run || run.steps.length === 0) return null;
  const steps = waterfallOf(run).bars.filter(({ kind }) => kind === "step");
  return (
    <section class="steps" aria-label="Steps of the last run">
      <ol class="row wrap">
        {steps.map(({ label, ms, failed }, index) => (
          <li key={index} class="row">
            {index > 0 && <Icon name="chevron" />}
            <span class={`step ${failed ? "bad" : ""}`}>
              <span class="mono">{label}</span>
              <span class="dim number">{failed ? "failed" : span(ms ?? 0)}</span>
            </span>
          </li>
        ))}
      </ol>
      <a class="dim" href={linkToRun(run.execution_id)}>
        last run <Ago at={run.started_at} />
      </a>
    </section>
  );
}
