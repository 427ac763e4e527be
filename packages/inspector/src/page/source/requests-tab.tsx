import type { ExecutionSummary } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

import { request } from "../api/client.ts";
import { follow } from "../api/follow.ts";
import { readPages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { isNarrow } from "../app/media.ts";
import { place, setQuery } from "../app/router.ts";
import { exactTime, plural, size, span } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { linkToRun } from "../runs/run-links.ts";
import { type ReceivedRequest, type RequestEvent, requestOf } from "../runs/request-text.ts";
import { RequestView } from "../runs/request-view.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

const mostRequests = 500;

async function readRequests(sourceId: string, signal: AbortSignal): Promise<ExecutionSummary[]> {
  const found: ExecutionSummary[] = [];
  for await (const { data } of readPages<ExecutionSummary>(`/sources/${sourceId}/executions`, {}, signal)) {
    found.push(...data.filter(({ trigger }) => trigger === "http"));
    if (found.length >= mostRequests) break;
  }
  return found;
}

interface Received {
  readonly event: RequestEvent | null;
  readonly event_bytes: number;
  /** Absent for a replay. */
  readonly request?: ReceivedRequest;
  readonly response: { readonly status: number; readonly headers: object; readonly body?: unknown } | null;
}

function RequestDetail({
  execution,
  close,
}: {
  readonly execution: ExecutionSummary;
  readonly close: () => void;
}): JSX.Element {
  const id = execution.execution_id;
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
            <RequestView request={received} />
            <p>
              <a href={linkToRun(id)}>The run</a>
            </p>
            {event?.client_ip !== undefined && <p class="dim">from {event.client_ip}</p>}
          </>
        )}
        {data?.response && (
          <>
            <h3>Response</h3>
            <JsonView value={data.response} open={2} />
          </>
        )}
      </div>
    </aside>
  );
}

const columns = [
  { label: "Time", width: "84px" },
  { label: "Run", width: "minmax(120px, 1fr)" },
  { label: "Status", width: "96px" },
  { label: "Duration", width: "80px", end: true },
];

const cellsOf = (execution: ExecutionSummary): readonly ComponentChildren[] => [
  <Ago at={execution.queued_at} />,
  <button type="button" class="row-link cut" onClick={() => setQuery({ request: execution.execution_id })}>
    <span class="title">{execution.summary ?? plural(execution.emitted_count, "event")} </span>
    <code class="dim">{execution.execution_id}</code>
  </button>,
  <Badge tone={execution.status === "ok" ? "ok" : "bad"}>{execution.status}</Badge>,
  <span class="number">{span(execution.duration_ms)}</span>,
];

/** The requests that a source has received. */
export default function RequestsTab({ source }: SourceTabProps): JSX.Element {
  const { data, error, reload } = useResource(source.id, (signal) => readRequests(source.id, signal));
  useEffect(
    () =>
      follow({
        route: "GET /executions/stream",
        parts: { query: { source_id: source.id } },
        event: ({ name }) => name === "message" && reload(),
      }),
    [source.id],
  );
  const open = data?.find(({ execution_id: id }) => id === place.value.query.get("request"));
  const isHidden = open !== undefined && isNarrow.value;
  return (
    <div class="page-fill">
      {error !== undefined && <Problem error={error} retry={reload} />}
      <div class={`panes ${open ? "with-detail" : ""}`}>
        {!isHidden &&
          (!data ? (
            error === undefined && <Loading />
          ) : data.length === 0 ? (
            <Empty title="No requests">
              <p>The newest executions of requests to an endpoint of this source are listed here.</p>
            </Empty>
          ) : (
            <VirtualList
              label="Requests"
              columns={columns}
              {...(isNarrow.value ? { tracks: "72px minmax(0, 1fr) auto" } : {})}
              rowHeight={40}
              items={data}
              keyOf={({ execution_id: id }) => id}
              cells={cellsOf}
              current={open?.execution_id}
              open={({ execution_id: id }) => setQuery({ request: id })}
            />
          ))}
        {open && <RequestDetail execution={open} close={() => setQuery({ request: "" })} />}
      </div>
    </div>
  );
}
