import type { Execution, ExecutionDetail } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { authorization, request, send } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt, notify } from "../app/notices.ts";
import { goTo } from "../app/router.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Loading, Problem } from "../ui/status.tsx";
import { EventDialog } from "./event-dialog.tsx";
import { draftOf, eventOf, type RequestDraft } from "./request-draft.ts";
import { RequestFields } from "./request-fields.tsx";
import type { RequestEvent } from "./request-text.ts";
import { linkToRun } from "./run-links.ts";

/** Runs it again, and shows the new run. */
export async function replay(id: string, body: { readonly event?: unknown }): Promise<void> {
  await attempt(async () => {
    const { data } = await request<DataOf<Execution>>("POST", `/executions/${id}/replay`, { body });
    notify(data.status === "ok" ? "done" : "failed", data.status === "ok" ? "Replayed" : "Replayed, and it failed");
    goTo(linkToRun(data.execution_id));
  });
}

/** Edits a request as a text, so that its parsed body is that text; its signature is made anew when its secret is given. */
function RequestDialog({
  run,
  first,
  close,
}: {
  readonly run: ExecutionDetail;
  readonly first: RequestDraft;
  readonly close: () => void;
}): JSX.Element {
  const [draft, change] = useState(first);
  const [secret, changeSecret] = useState("");
  async function submit(): Promise<void> {
    await attempt(async () => {
      const { url: _url, body: _body, ...kept } = run.event as Record<string, unknown>;
      const event = { ...kept, ...(await eventOf(draft, secret, Date.now())) };
      close();
      await replay(run.execution_id, { event });
    });
  }
  return (
    <Dialog
      title="Edit and replay"
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label="Replay" act={submit} />
        </>
      }
    >
      <p class="dim">The run gets this request, in the present state of its source.</p>
      <RequestFields draft={draft} change={change} secret={secret} changeSecret={changeSecret} />
    </Dialog>
  );
}

function EditDialog({ run, close }: { readonly run: ExecutionDetail; readonly close: () => void }): JSX.Element {
  const first = draftOf(run.event as RequestEvent | null);
  if (first) return <RequestDialog run={run} first={first} close={close} />;
  return (
    <EventDialog
      title="Edit and replay"
      action="Replay"
      event={run.event}
      close={close}
      run={(event) => replay(run.execution_id, { event })}
    >
      The run gets this event, in the present state of its source.
      {run.event_masked && " It was stored without its secrets: write them in the places of ***."}
    </EventDialog>
  );
}

/** A name for the file, from the import of the component. */
function fileOf(text: string): string {
  const [, name = "component", kind = "js"] = /from "\.\/(.+)\.(\w+)";/.exec(text) ?? [];
  return `${name}.test.${kind}`;
}

function TestDialog({ id, close }: { readonly id: string; readonly close: () => void }): JSX.Element {
  const test = useResource(id, async (signal) => {
    const answer = await send(`/executions/${id}/test`, { headers: authorization(), signal });
    return answer.text();
  });
  const text = test.data;
  return (
    <Dialog
      title="Make a test"
      close={close}
      end={
        text !== undefined && (
          <>
            <CopyButton label="Copy" text={text} />
            <Button
              look="main-action"
              label={`Save ${fileOf(text)}`}
              act={() => saveFile(new Blob([text], { type: "text/javascript" }), fileOf(text))}
            />
          </>
        )
      }
    >
      <p class="dim">
        A test for <code>@x/testing</code> with the event of this run, the answers that it got, and what it did. Save it
        beside the component and run <code>x test</code>.
      </p>
      {test.error !== undefined && <Problem error={test.error} />}
      {text === undefined ? (
        test.loading && <Loading what="Writing the test" />
      ) : (
        <pre class="frame made-test" tabIndex={0} aria-label="The test">
          {text}
        </pre>
      )}
    </Dialog>
  );
}

/** What can be asked about a run beside its row. */
export type AskedOfRun = "edit" | "test";

/** Edits a run of a list and replays it, or makes a test of it. */
export function AskedDialog(props: {
  readonly id: string;
  readonly what: AskedOfRun;
  readonly close: () => void;
}): JSX.Element | null {
  const { id, what, close } = props;
  const loaded = useResource(id, (signal) =>
    request<DataOf<ExecutionDetail>>("GET", `/executions/${id}`, { signal }).then(({ data }) => data),
  );
  const run = loaded.data;
  if (what === "test") return <TestDialog id={id} close={close} />;
  if (run && run.event_truncated !== true) return <EditDialog run={run} close={close} />;
  return (
    <Dialog title="Edit and replay" close={close}>
      {loaded.error !== undefined && <Problem error={loaded.error} />}
      {run ? <p>The event is too large to be kept with the run.</p> : loaded.loading && <Loading />}
    </Dialog>
  );
}

/** Replay, edit and replay, make a test. */
export function RunActions({ run }: { readonly run: ExecutionDetail }): JSX.Element | null {
  const [shown, setShown] = useState<AskedOfRun>();
  const close = (): void => setShown(undefined);
  if (run.entry !== "run") return null;
  return (
    <>
      <Button
        icon="reload"
        label="Replay"
        disabled={run.event_truncated === true || run.event_masked === true}
        act={() => replay(run.execution_id, {})}
      />
      <Button
        icon="edit"
        label="Edit and replay"
        disabled={run.event_truncated === true}
        act={() => setShown("edit")}
      />
      <Button icon="check" label="Make a test" disabled={run.event_truncated === true} act={() => setShown("test")} />
      {shown === "edit" && <EditDialog run={run} close={close} />}
      {shown === "test" && <TestDialog id={run.execution_id} close={close} />}
    </>
  );
}
