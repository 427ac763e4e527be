import type { Workflow } from "@x/client";
import type { JSX } from "preact";

import { linkTo } from "../app/router.ts";
import { count, plural } from "../text/format.ts";
import { PageHead } from "../ui/page-head.tsx";
import { SearchedList, useSearchedList } from "../ui/searched-list.tsx";
import { Ago, Badge, Empty } from "../ui/status.tsx";
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
  const searched = useSearchedList<Workflow>({ path: "/users/me/workflows", keyOf: ({ id }) => id });
  const total = searched.list.total.value;
  return (
    <>
      <PageHead title="Workflows">
        {total !== undefined && (
          <span class="dim number">{searched.isAll ? plural(total, "workflow") : `${count(total)} found`}</span>
        )}
      </PageHead>
      <div class="page-body">
        <SearchedList
          label="Search workflows"
          searched={searched}
          empty={
            <Empty title="No workflows">
              <p>Workflows are registered by the program around the service, or with x serve --workflow FILE.</p>
            </Empty>
          }
        >
          {(shown) => (
            <TableCard label="Workflows" columns={["Workflow", "Endpoint", "Changed"]}>
              {shown.map((workflow) => (
                <Row key={workflow.id} workflow={workflow} />
              ))}
            </TableCard>
          )}
        </SearchedList>
      </div>
    </>
  );
}
