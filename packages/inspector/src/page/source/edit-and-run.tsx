import type { Execution, ExecutionSummary, Source } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { goTo } from "../app/router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SendEvent } from "./send-event.tsx";
import { EventDialog } from "../runs/event-dialog.tsx";
import { linkToRun } from "../runs/run-links.ts";
import { Button } from "../ui/button.tsx";
import { endpointsOf } from "./curl.ts";

/** The event of the newest run that has one, to begin with; else an empty event. */
async function findEvent(source: Source): Promise<unknown> {
  const path = `/sources/${source.id}/executions`;
  const { data: runs } = await request<DataOf<readonly ExecutionSummary[]>>("GET", path, { query: { limit: 20 } });
  const newest = runs.find(({ entry }) => entry === "run");
  const include = { query: { include: "event" } };
  const known =
    newest && (await request<DataOf<{ event: unknown }>>("GET", `/executions/${newest.execution_id}`, include));
  return known?.data.event ?? {};
}

/** Writes a request for a source with an endpoint. */
function SendButton({ source }: { readonly source: Source }): JSX.Element {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button icon="edit" label="Send event" act={() => setOpen(true)} />
      {open && (
        <Dialog title={`Send an event to ${source.name}`} close={close} end={<Button label="Close" act={close} />}>
          <SendEvent source={source} sent={() => undefined} />
        </Dialog>
      )}
    </>
  );
}

/** Sends a request to a source with an endpoint; edits the event of another one. */
export const EditAndRun = ({ source }: { readonly source: Source }): JSX.Element =>
  endpointsOf(source.configured_props).length > 0 ? <SendButton source={source} /> : <EditEvent source={source} />;

/** Runs a source with an event that is edited before, and shows the run. */
function EditEvent({ source }: { readonly source: Source }): JSX.Element {
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
          The run gets this event.
        </EventDialog>
      )}
    </>
  );
}
