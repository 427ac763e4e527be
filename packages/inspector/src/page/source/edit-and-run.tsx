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

const hasEndpoint = (source: Source): boolean => endpointsOf(source.configured_props).length > 0;

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

interface Asked {
  readonly source: Source;
  /** The first event; absent for a source with an endpoint, which gets a request. */
  readonly event?: unknown;
}

const ask = async (source: Source): Promise<Asked> =>
  hasEndpoint(source) ? { source } : { source, event: await findEvent(source) };

interface AskedProps extends Asked {
  readonly close: () => void;
}

/** Writes a request for a source with an endpoint, or the event of another one, whose run it then shows. */
function AskedDialog({ source, event, close }: AskedProps): JSX.Element {
  if (event === undefined)
    return (
      <Dialog title={`Send an event to ${source.name}`} close={close} end={<Button label="Close" act={close} />}>
        <SendEvent source={source} sent={() => undefined} isAlone />
      </Dialog>
    );
  async function run(event: unknown): Promise<void> {
    await attempt(async () => {
      const body = { event, force: true };
      const { data } = await request<DataOf<Execution>>("POST", `/sources/${source.id}/run`, { body });
      goTo(linkToRun(data.execution_id));
    });
  }
  return (
    <EventDialog title={`Run ${source.name}`} action="Run" event={event} close={close} run={run}>
      The run gets this event.
    </EventDialog>
  );
}

/** Sends a request to a source with an endpoint; edits the event of another one. */
export function EditAndRun({ source }: { readonly source: Source }): JSX.Element {
  const [asked, setAsked] = useState<Asked>();
  const open = (): Promise<boolean> => attempt(async () => setAsked(await ask(source)));
  return (
    <>
      <Button icon="send" label={hasEndpoint(source) ? "Send event" : "Edit and run"} act={open} />
      {asked && <AskedDialog {...asked} close={() => setAsked(undefined)} />}
    </>
  );
}

/** The same in a row of a list. */
export function SendTo({ id, name }: Pick<Source, "id" | "name">): JSX.Element {
  const [asked, setAsked] = useState<Asked>();
  const open = (): Promise<boolean> =>
    attempt(async () => setAsked(await ask((await request<DataOf<Source>>("GET", `/sources/${id}`)).data)));
  return (
    <>
      <Button look="quiet" icon="send" label={`Send an event to ${name}`} iconOnly act={open} />
      {asked && <AskedDialog {...asked} close={() => setAsked(undefined)} />}
    </>
  );
}
