import type { Workflow } from "@x/client";
import type { JSX } from "preact";

import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { linkTo } from "../app/router.ts";
import { plural } from "../text/format.ts";
import { LongList } from "../ui/long-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";

const Row = ({
  workflow: { id, name, active, endpoint_url: url, updated_at: at },
}: {
  readonly workflow: Workflow;
}) => (
  <tr>
    <td>
      <span class="row">
        <span class={`dot ${active ? "ok" : "hollow"}`} aria-hidden="true" />
        <a href={linkTo(`/workflows/${encodeURIComponent(id)}`)}>{name}</a>
        {!active && <Badge>not registered</Badge>}
      </span>
    </td>
    <td class="mono dim">{url ?? "–"}</td>
    <td>
      <Ago at={at * 1_000} />
    </td>
  </tr>
);

/** All workflows. */
export default function WorkflowsPage(): JSX.Element {
  const loaded = useResource("workflows", (signal) => readAll<Workflow>("/users/me/workflows", {}, 10_000, signal));
  const workflows = loaded.data;
  return (
    <>
      <PageHead title="Workflows">
        {workflows && <span class="dim number">{plural(workflows.length, "workflow")}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!workflows && loaded.loading && <Loading />}
        {workflows?.length === 0 && (
          <Empty title="No workflows">
            <p>Workflows are registered by the program around the service, or with x serve --workflow FILE.</p>
          </Empty>
        )}
        {workflows && workflows.length > 0 && (
          <LongList label="Search workflows" items={workflows} textsOf={({ id, name }) => [name, id]}>
            {(shown) => (
              <TableCard label="Workflows" columns={["Workflow", "Endpoint", "Changed"]}>
                {shown.map((workflow) => (
                  <Row key={workflow.id} workflow={workflow} />
                ))}
              </TableCard>
            )}
          </LongList>
        )}
      </div>
    </>
  );
}
