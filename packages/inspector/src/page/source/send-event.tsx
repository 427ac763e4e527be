import type { Execution, ExecutionSummary, Source } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { statusLabel } from "../runs/execution.ts";
import { draftOf, emptyDraft, eventOf, type RequestDraft } from "../runs/request-draft.ts";
import { RequestFields } from "../runs/request-fields.tsx";
import type { RequestEvent } from "../runs/request-text.ts";
import { linkToRun } from "../runs/run-links.ts";
import { plural, span } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Badge, Loading } from "../ui/status.tsx";
import { rememberSent, sentRequests } from "./sent-requests.ts";

type Sendable = Pick<Source, "id" | "name">;

/** The request to begin with: the last one that was sent here, else the last one that was received. */
async function firstDraft({ id }: Sendable, signal: AbortSignal): Promise<RequestDraft> {
  const [sent] = sentRequests(id);
  if (sent) return sent;
  const query = { trigger: "http", limit: 1 };
  const path = `/sources/${id}/executions`;
  const { data: runs } = await request<DataOf<readonly ExecutionSummary[]>>("GET", path, { query, signal });
  if (!runs[0]) return emptyDraft;
  const options = { query: { include: "event" }, signal };
  const { data } = await request<DataOf<{ event: RequestEvent | null }>>(
    "GET",
    `/executions/${runs[0].execution_id}`,
    options,
  );
  return draftOf(data.event) ?? emptyDraft;
}

function Answered({ execution }: { readonly execution: Execution }): JSX.Element {
  const { response, status, error, emitted = [], deduped = 0 } = execution;
  const answered = response as { status?: number; body?: unknown } | null;
  return (
    <div class="stack tight" role="status">
      <p class="row wrap">
        {answered?.status !== undefined && <Badge tone={answered.status < 400 ? "ok" : "bad"}>{answered.status}</Badge>}
        {status !== "ok" && <Badge tone="bad">{statusLabel(status)}</Badge>}
        <span>
          {plural(emitted.length, "event")}
          {deduped > 0 && `, ${deduped} dropped`} in {span(execution.duration_ms ?? 0)}
        </span>
        <a href={linkToRun(execution.execution_id)}>The run</a>
      </p>
      {error && <p class="field-problem">{error.message}</p>}
      {answered && <JsonView value={answered} open={1} />}
    </div>
  );
}

interface FormProps {
  readonly source: Sendable;
  readonly first: RequestDraft;
  readonly sent: () => void;
  readonly isAlone: boolean;
}

function SendForm({ source, first, sent, isAlone }: FormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [draft, change] = useState(first);
  /** Another one is put into the fields anew. */
  const [turn, setTurn] = useState(0);
  const [secret, changeSecret] = useState("");
  const [execution, setExecution] = useState<Execution>();
  const earlier = sentRequests(source.id);
  useEffect(() => {
    if (isAlone) form.current?.querySelector<HTMLElement>("[type=password], [type=submit]")?.focus();
  }, []);
  async function send(): Promise<void> {
    setBusy(true);
    await attempt(async () => {
      const event = await eventOf(draft, secret, Date.now());
      const body = { event, force: true };
      const { data } = await request<DataOf<Execution>>("POST", `/sources/${source.id}/run`, { body });
      rememberSent(source.id, draft);
      setExecution(data);
      sent();
    });
    setBusy(false);
  }
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <RequestFields key={turn} draft={draft} change={change} secret={secret} changeSecret={changeSecret} />
      <div class="row wrap">
        <Button submit look="main-action" icon="send" label="Send event" disabled={busy} />
        {earlier.length > 0 && (
          <select
            class="input fitting-text"
            aria-label="Sent before"
            value=""
            onChange={({ currentTarget: { value } }) => {
              const chosen = earlier[Number(value)];
              if (!chosen) return;
              change(chosen);
              setTurn(turn + 1);
            }}
          >
            <option value="">Sent before</option>
            {earlier.map((each, index) => (
              <option key={index} value={index}>
                {`${each.method} ${each.path} ${each.body.slice(0, 40)}`}
              </option>
            ))}
          </select>
        )}
      </div>
      {execution && <Answered execution={execution} />}
    </form>
  );
}

interface SendProps {
  readonly source: Sendable;
  /** After a run. */
  readonly sent: () => void;
  /** Whether it is all that is shown: then Enter sends. */
  readonly isAlone?: boolean;
}

/** Writes a request and runs the source with it, as if it had come to its endpoint. */
export function SendEvent({ source, sent, isAlone = false }: SendProps): JSX.Element {
  const { data: first, error } = useResource(source.id, (signal) => firstDraft(source, signal));
  if (first || error !== undefined)
    return <SendForm source={source} first={first ?? emptyDraft} sent={sent} isAlone={isAlone} />;
  return <Loading />;
}
