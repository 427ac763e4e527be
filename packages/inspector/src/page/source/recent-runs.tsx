import type { ExecutionSummary, Source } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { follow } from "../api/follow.ts";
import { readPage } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { linkTo } from "../app/router.ts";
import { isAppHook } from "../apps/app-hooks.ts";
import { Part } from "../runs/part.tsx";
import { type AskedOfRun, AskedDialog } from "../runs/run-actions.tsx";
import { Result } from "../runs/run-table.tsx";
import { count } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Ago, Badge, Problem } from "../ui/status.tsx";
import { endpointsOf } from "./curl.ts";
import { timerOf } from "./schedule-card.tsx";

const maxRuns = 8;

/** What to do while nothing has happened. */
function firstStep({ configured_props: props, active }: Source): string {
  if (!active) return "The source is paused: resume it, or run it by hand.";
  if (endpointsOf(props).length > 0) return "Send a request to its endpoint, or write one above and send it.";
  if (timerOf(props)) return "Wait for the next tick, or run one now.";
  if (Object.values(props).some(isAppHook))
    return "Wait for an event of its app, or send a test event on the app's page.";
  return "Run it now, or subscribe it to another source.";
}

/** The newest runs of a source. */
export function RecentRuns({ source }: { readonly source: Source }): JSX.Element {
  const runs = useResource(`recent ${source.id}`, (signal) =>
    readPage<ExecutionSummary>(`/sources/${source.id}/executions`, { limit: maxRuns }, signal),
  );
  const [asked, ask] = useState<{ readonly id: string; readonly what: AskedOfRun }>();
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const stop = follow({
      route: "GET /executions/stream",
      parts: { query: { source_id: source.id } },
      event: ({ name }) => {
        if (name === "message") due ??= setTimeout(() => ((due = undefined), runs.reload()), 500);
      },
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, [source.id]);
  const list = runs.data?.data ?? [];
  return (
    <Part title="Recent runs" bare end={<a href={linkTo(`/sources/${source.id}/runs`)}>All runs</a>}>
      {runs.error !== undefined && <Problem error={runs.error} retry={runs.reload} />}
      {runs.data && list.length === 0 && (
        <div class="card-body">
          <p>Nothing has happened yet.</p>
          <p class="dim">{firstStep(source)}</p>
        </div>
      )}
      <ul class="recent-runs">
        {list.map((run) => (
          <li key={run.execution_id} class="row">
            <span class="row grow">
              <Result run={run} />
            </span>
            {run.deduped > 0 && run.emitted_count > 0 && <Badge>{`${count(run.deduped)} dropped`}</Badge>}
            <span class="dim">
              <Ago at={run.started_at} />
            </span>
            {run.entry === "run" && (
              <span class="row tight">
                <Button
                  look="quiet"
                  icon="edit"
                  label="Edit and replay"
                  iconOnly
                  act={() => ask({ id: run.execution_id, what: "edit" })}
                />
                <Button
                  look="quiet"
                  icon="check"
                  label="Make a test"
                  iconOnly
                  act={() => ask({ id: run.execution_id, what: "test" })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {asked && <AskedDialog id={asked.id} what={asked.what} close={() => ask(undefined)} />}
    </Part>
  );
}
