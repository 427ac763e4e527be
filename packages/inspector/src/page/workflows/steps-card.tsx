import type { ExecutionDetail, ExecutionSummary } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { readPage } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkToRun } from "../runs/run-links.ts";
import { waterfallOf } from "../runs/waterfall.ts";
import { span } from "../text/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Ago } from "../ui/status.tsx";

async function lastRun(id: string, signal: AbortSignal): Promise<ExecutionDetail | undefined> {
  const path = `/workflows/${encodeURIComponent(id)}/executions`;
  const [last] = (await readPage<ExecutionSummary>(path, { limit: 1 }, signal)).data;
  if (!last) return undefined;
  return (await request<DataOf<ExecutionDetail>>("GET", `/executions/${last.execution_id}`, { signal })).data;
}

interface StepsProps {
  readonly id: string;
  /** Names of the steps in order. */
  readonly names: readonly string[];
}

/** The steps of a workflow, with their times in the last run. */
export function StepsCard({ id, names }: StepsProps): JSX.Element | null {
  const run = useResource(`steps ${id}`, (signal) => lastRun(id, signal)).data;
  if (names.length === 0) return null;
  const bars = run ? waterfallOf(run).bars.filter(({ kind }) => kind === "step") : [];
  const begun = new Map(bars.map((bar) => [bar.label, bar]));
  return (
    <section class="steps" aria-label="Steps">
      <ol class="row wrap">
        {names.map((name, index) => {
          const bar = begun.get(name);
          return (
            <li key={name} class="row">
              {index > 0 && <Icon name="chevron" />}
              <span class={`step ${bar?.failed ? "bad" : ""}`}>
                <span class="mono">{name}</span>
                {bar && <span class="dim number">{bar.failed ? "failed" : span(bar.ms ?? 0)}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {run && (
        <a class="dim" href={linkToRun(run.execution_id)}>
          last run <Ago at={run.started_at} />
        </a>
      )}
    </section>
  );
}
