import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { ApiError, request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { count, exactTime, plural } from "../text/format.ts";
import { CodeFrame } from "../runs/code-frame.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type ErrorGroup, groupErrors } from "./error-groups.ts";
import { createEventList } from "./event-list.ts";
import { linkToRun } from "../runs/run-links.ts";
import { Live } from "../runs/live.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The code frame of an execution; undefined when it has none, or is not stored any more. */
async function readFrame(executionId: string, signal: AbortSignal): Promise<string | undefined> {
  const options = { query: { include: "error" }, signal };
  try {
    const { data } = await request<DataOf<Pick<ExecutionDetail, "error">>>(
      "GET",
      `/executions/${executionId}`,
      options,
    );
    return data.error?.frame;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

function GroupBody({ group }: { readonly group: ErrorGroup }): JSX.Element {
  const { error, original_event: event, original_context: context } = group.newest;
  const { data: frame } = useResource(context.id, (signal) => readFrame(context.id, signal));
  return (
    <div class="card-body stack">
      {error.hint !== undefined && <p>{error.hint}</p>}
      {frame !== undefined && <CodeFrame text={frame} />}
      <pre class="trace">{error.stack}</pre>
      <div class="stack tight">
        <h3>The event that was being processed</h3>
        <JsonView value={event} open={1} />
      </div>
      <div class="stack tight">
        <h3>{plural(group.records.length, "time")}</h3>
        <ul class="times">
          {group.records.slice(0, 20).map(({ id, at, record }) => (
            <li key={id} class="row">
              <span class="number">{exactTime(at)}</span>
              <a class="cut mono" href={linkToRun(record.original_context.id)}>
                {record.original_context.id}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Group({ group, isFirst }: { readonly group: ErrorGroup; readonly isFirst: boolean }): JSX.Element {
  const [open, setOpen] = useState(isFirst);
  const { error } = group.newest;
  const [latest] = group.records;
  return (
    <section class="card error-group" aria-label={error.msg}>
      <h2>
        <button type="button" class="group-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? "down" : "chevron"} />
          <span class="grow">
            <strong>{error.code}</strong> <span class="message">{error.msg}</span>
          </span>
          <Badge tone="bad">{count(group.records.length)}</Badge>
          {latest && <Ago at={latest.at} />}
        </button>
      </h2>
      {open && <GroupBody group={group} />}
    </section>
  );
}

/** The errors of a source, like ones together. */
export default function ErrorsTab({ source }: SourceTabProps): JSX.Element {
  const list = useMemo(
    () =>
      createEventList({
        path: `/sources/${source.id}/$errors/event_summaries`,
        query: { expand: "event" },
        stream: { path: { id: source.id }, query: { stream: "$errors" } },
      }),
    [source.id],
  );
  useEffect(() => list.open(), [list]);
  const groups = groupErrors(list.events.value);
  return (
    <div class="page-body">
      <div class="row">
        <span class="dim grow number">
          {plural(list.total.value, "error")}, {plural(groups.length, "kind")}
        </span>
        <Live state={list.live.value} />
      </div>
      {list.error.value !== undefined && <Problem error={list.error.value} />}
      {groups.map((group, index) => (
        <Group key={group.key} group={group} isFirst={index === 0} />
      ))}
      {list.hasOlder.value && (
        <div class="row">
          <Button
            label={`Show more of ${count(list.total.value - list.events.value.length)} older`}
            act={() => list.loadMore()}
          />
        </div>
      )}
      {groups.length === 0 && (list.loading.value ? <Loading /> : <Empty title="No errors" />)}
    </div>
  );
}
