import type { Execution, ExecutionSummary, Source } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { goTo } from "../app/router.ts";
import { EventDialog } from "../runs/event-dialog.tsx";
import { linkToRun } from "../runs/run-links.ts";
import { Button } from "../ui/button.tsx";
import { endpointsOf } from "./curl.ts";

const hasEndpoint = ({ configured_props: props }: Source): boolean => endpointsOf(props).length > 0;

/** The event of the newest run that has one, to begin with; else a request, or an empty event. */
async function findEvent(source: Source): Promise<unknown> {
  const path = `/sources/${source.id}/executions`;
  const { data: runs } = await request<DataOf<readonly ExecutionSummary[]>>("GET", path, { query: { limit: 20 } });
  const newest = runs.find(({ entry }) => entry === "run");
  const include = { query: { include: "event" } };
  const known =
    newest && (await request<DataOf<{ event: unknown }>>("GET", `/executions/${newest.execution_id}`, include));
  return known?.data.event ?? (hasEndpoint(source) ? { method: "POST", body: {} } : {});
}

/** Runs a source with an event that is edited before, and shows the run. */
export function EditAndRun({ source }: { readonly source: Source }): JSX.Element {
  const [first, setFirst] = useState<{ readonly event: unknown }>();
  const open = (): Promise<boolean> => attempt(async () => setFirst({ event: await findEvent(source) }));
  async function run(event: unknown): Promise<void> {
    await attempt(async () => {
      const body = { event, force: true };
      const { data } = await request<DataOf<Execution>>("POST", `/sources/${source.id}/run`, { body });
      goTo(linkToRun(data.execution_id));
    });
  }
  return (
    <>
      <Button icon="edit" label="Edit and run" act={open} />
      {first && (
        <EventDialog
          title={`Run ${source.name}`}
          action="Run"
          event={first.event}
          close={() => setFirst(undefined)}
          run={run}
        >
          {hasEndpoint(source)
            ? "A request, or a part of one: what is missing is added. The run shows what it answered."
            : "The run gets this event."}
        </EventDialog>
      )}
    </>
  );
}
