import type { ExecutionSummary } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { isNarrow } from "../app/media.ts";
import { place, setQuery } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { curlOf } from "../runs/request-draft.ts";
import { type ReceivedRequest, type RequestEvent, requestOf } from "../runs/request-text.ts";
import { RequestView } from "../runs/request-view.tsx";
import { AskedDialog, replay } from "../runs/run-actions.tsx";
import { readRunFilter } from "../runs/run-filter.ts";
import { linkToRun } from "../runs/run-links.ts";
import { createRunList } from "../runs/run-list.ts";
import { count, exactTime, plural, size, span } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { endpointsOf } from "./curl.ts";
import type { SourceTabProps } from "./source-tab-props.ts";

interface Received {
  readonly event: RequestEvent | null;
  readonly event_bytes: number;
  /** Absent for a replay. */
  readonly request?: ReceivedRequest;
  readonly response: { readonly status: number; readonly headers: object; readonly body?: unknown } | null;
}

interface AnswerProps {
  readonly response: Received["response"];
  readonly http: ExecutionSummary["http"];
}

/** What the client got. */
function Answer({ response, http }: AnswerProps): JSX.Element | null {
  if (!response && !http) return null;
  return (
    <>
      <h3>Response</h3>
      {response ? (
        <JsonView value={response} open={2} />
      ) : (
        <p>
          <Badge tone={(http?.status ?? 0) < 400 ? "ok" : "bad"}>{http?.status}</Badge> without a response of the
          component
        </p>
      )}
    </>
  );
}

interface DetailProps {
  readonly execution: ExecutionSummary;
  readonly endpoint: string;
  readonly close: () => void;
}

function RequestDetail({ execution, endpoint, close }: DetailProps): JSX.Element {
  const id = execution.execution_id;
  const [edits, setEdits] = useState(false);
  const { data, error, reload } = useResource(id, async (signal) => {
    const options = { query: { include: "event,event_bytes,request,response" }, signal };
    return (await request<DataOf<Received>>("GET", `/executions/${id}`, options)).data;
  });
  const event = data?.event;
  const received = data?.request ?? (event && requestOf(event));
  return (
    <aside class="detail" aria-label="Request">
      <div class="card-head">
        <h2>{exactTime(execution.queued_at)}</h2>
        <Button look="quiet" icon="close" label="Close the request" iconOnly act={close} />
      </div>
      <div class="card-body stack">
        {error !== undefined && <Problem error={error} retry={reload} />}
        {!data && error === undefined && <Loading />}
        {data && !received && <p class="dim">The request of {size(data.event_bytes)} is too large to be kept.</p>}
        {received && (
          <>
            <div class="row wrap">
              <CopyButton text={() => curlOf(received, endpoint)} label="Copy as curl" />
              <Button icon="reload" label="Send again" act={() => replay(id, {})} />
              <Button icon="edit" label="Edit and send" act={() => setEdits(true)} />
              <a href={linkToRun(id)}>The run</a>
            </div>
            <RequestView request={received} />
            {event?.client_ip !== undefined && <p class="dim">from {event.client_ip}</p>}
          </>
        )}
        {data && <Answer response={data.response} http={execution.http} />}
        {edits && <AskedDialog id={id} what="edit" close={() => setEdits(false)} />}
      </div>
    </aside>
  );
}

const columns = [
  { label: "Time", width: "84px" },
  { label: "Request", width: "minmax(120px, 1fr)" },
  { label: "Sent", width: "64px" },
  { label: "Outcome", width: "minmax(120px, 280px)" },
  { label: "Duration", width: "80px", end: true },
];

/** What became of a request. */
function Outcome({ run }: { readonly run: ExecutionSummary }): JSX.Element {
  if (run.status !== "ok")
    return <span class="cut some-failed">{run.error ? `${run.error.name}: ${run.error.message}` : run.status}</span>;
  if (run.emitted_count > 0)
    return <span class="cut">{run.summary ?? `${plural(run.emitted_count, "event")} emitted`}</span>;
  if (run.deduped > 0) return <Badge>{run.deduped === 1 ? "duplicate" : `${count(run.deduped)} duplicates`}</Badge>;
  return <span class="dim">Nothing emitted</span>;
}

const cellsOf = (run: ExecutionSummary): readonly ComponentChildren[] => [
  <Ago at={run.queued_at} />,
  <button type="button" class="row-link cut" onClick={() => setQuery({ request: run.execution_id })}>
    <span class="title">{run.http?.method ?? "Replay"}</span>{" "}
    <code class="cut">{run.http?.path ?? run.execution_id}</code>
  </button>,
  run.http ? <Badge tone={run.http.status < 400 ? "ok" : "bad"}>{run.http.status}</Badge> : <span class="dim">–</span>,
  <Outcome run={run} />,
  <span class="number nowrap">{span(run.duration_ms)}</span>,
];

const statusClasses = [
  { value: "", label: "All" },
  { value: "2", label: "2xx" },
  { value: "3", label: "3xx" },
  { value: "4", label: "4xx" },
  { value: "5", label: "5xx" },
] as const;

/** The requests that a source has received, as they come. */
export default function RequestsTab({ source }: SourceTabProps): JSX.Element {
  const list = useMemo(
    () => createRunList({ filter: readRunFilter(new URLSearchParams({ trigger: "http" }), source.id) }),
    [source.id],
  );
  useEffect(() => {
    void list.load();
    return list.followNew();
  }, [list]);
  const { query } = place.value;
  const [method, sent] = [query.get("method") ?? "", query.get("sent") ?? ""];
  const all = list.rows.value;
  const methods = [...new Set(all.flatMap(({ http }) => (http ? [http.method] : [])))].sort();
  const found = all.filter(
    ({ http }) =>
      (method === "" || http?.method === method) && (sent === "" || String(http?.status ?? "").startsWith(sent)),
  );
  const open = all.find(({ execution_id: id }) => id === query.get("request"));
  const isHidden = open !== undefined && isNarrow.value;
  const error = list.error.value;
  return (
    <div class="page-fill requests">
      <div class="bar wrap">
        <select
          class="input small fitting-text"
          aria-label="Method"
          value={method}
          onChange={({ currentTarget }) => setQuery({ method: currentTarget.value })}
        >
          <option value="">Any method</option>
          {methods.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Chips
          label="Status sent"
          value={statusClasses.find(({ value }) => value === sent)?.value ?? ""}
          choices={statusClasses}
          change={(next) => setQuery({ sent: next })}
        />
        <span class="grow" />
        <Live state={list.state.value} />
      </div>
      {error !== undefined && <Problem error={error} retry={() => void list.load()} />}
      <div class={`panes ${open ? "with-detail" : ""}`}>
        {!isHidden &&
          (found.length > 0 ? (
            <VirtualList
              label="Requests"
              columns={columns}
              {...(isNarrow.value ? { tracks: "minmax(0, 1fr) auto" } : {})}
              rowHeight={isNarrow.value ? 64 : 40}
              items={found}
              keyOf={({ execution_id: id }) => id}
              cells={cellsOf}
              current={open?.execution_id}
              open={({ execution_id: id }) => setQuery({ request: id })}
              shown={(shown) => {
                if (shown.at(-1) === found.at(-1)) void list.loadOlder();
              }}
            />
          ) : list.loading.value ? (
            <Loading />
          ) : (
            <Empty title={all.length === 0 ? "No requests yet" : "No request matches"}>
              {all.length === 0 && <p>Send one to the endpoint, or with Send event above.</p>}
            </Empty>
          ))}
        {open && (
          <RequestDetail
            execution={open}
            endpoint={endpointsOf(source.configured_props)[0]?.url ?? ""}
            close={() => setQuery({ request: "" })}
          />
        )}
      </div>
    </div>
  );
}
