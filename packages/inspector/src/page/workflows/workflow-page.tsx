import type { WorkflowDetail } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import type { PageProps } from "../app/page-props.ts";
import { linkTo, place } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { RunTable } from "../runs/run-table.tsx";
import { ReplayFailed } from "../runs/replay-failed.tsx";
import { readRunFilter } from "../runs/run-filter.ts";
import { RunFilters } from "../runs/run-filters.tsx";
import { CopyButton } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge, Loading, Problem } from "../ui/status.tsx";
import { StepsCard } from "./steps-card.tsx";

async function load(id: string, signal: AbortSignal): Promise<WorkflowDetail> {
  const path = `/workflows/${encodeURIComponent(id)}`;
  return (await request<DataOf<WorkflowDetail>>("GET", path, { signal })).data;
}

/** A workflow: its steps, its endpoint and its runs. */
export default function WorkflowPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const loaded = useResource(id, (signal) => load(id, signal));
  const workflow = loaded.data;
  const filter = readRunFilter(place.value.query, id);
  return (
    <div class="page-fill runs">
      <PageHead title={workflow?.name ?? "Workflow"} crumb={{ label: "Workflows", link: linkTo("/workflows") }}>
        {workflow && !workflow.active && <Badge>not registered</Badge>}
      </PageHead>
      {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
      {!workflow && loaded.loading && <Loading />}
      {workflow && (
        <>
          <div class="workflow-facts">
            {workflow.endpoint_url !== undefined && (
              <div class="code-line">
                <code>{workflow.endpoint_url}</code>
                <CopyButton label="Copy the URL" iconOnly text={workflow.endpoint_url} />
              </div>
            )}
            <StepsCard id={id} names={workflow.steps} />
          </div>
          <RunTable
            filter={filter}
            head={(list) => (
              <div class="bar wrap">
                <RunFilters filter={filter} ofAll={false} />
                <ReplayFailed filter={filter} />
                <Live state={list.state.value} />
              </div>
            )}
          />
        </>
      )}
    </div>
  );
}
