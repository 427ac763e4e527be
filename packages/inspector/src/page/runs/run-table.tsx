import type { ExecutionSummary } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { isNarrow } from "../app/media.ts";
import { goTo } from "../app/router.ts";
import { count, span } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { statusLabel, triggerLabel } from "./execution.ts";
import { type AskedOfRun, AskedDialog } from "./run-actions.tsx";
import { isRestricted, type RunFilter } from "./run-filter.ts";
import { linkToEmitter, linkToRun } from "./run-links.ts";
import { createRunList, type RunList } from "./run-list.ts";

const columns: readonly Column[] = [
  { label: "Started", width: "112px" },
  { label: "Source", width: "minmax(120px, 220px)" },
  { label: "Result", width: "minmax(160px, 1fr)" },
  { label: "Trigger", width: "128px" },
  { label: "Events", width: "116px", end: true },
  { label: "Requests", width: "72px", end: true },
  { label: "Time", width: "72px", end: true },
  { label: "Actions", width: "64px", end: true },
];
const narrowTracks = "minmax(0, 1fr) auto";
const rowHeights = { wide: 40, narrow: 64 };

/** What a run came to, as a link to it. */
export function Result({ run }: { readonly run: ExecutionSummary }): JSX.Element {
  const { status, error, summary, emitted_count: emitted, deduped } = run;
  if (status !== "ok")
    return (
      <>
        <span class="dot bad" aria-hidden="true" />
        <a class="title cut run-failed" href={linkToRun(run.execution_id)}>
          {error ? `${error.name}: ${error.message}` : statusLabel(status)}
        </a>
      </>
    );
  const text = summary ?? (emitted > 0 ? "Emitted" : deduped > 0 ? `${count(deduped)} dropped` : "Nothing emitted");
  return (
    <>
      <span class="dot ok" aria-hidden="true" />
      <a class={`title cut ${summary === null ? "dim" : ""}`} href={linkToRun(run.execution_id)}>
        <span class="unseen">OK: </span>
        {text}
      </a>
    </>
  );
}

const number = (value: number): ComponentChildren =>
  value === 0 ? <span class="dim">–</span> : <span class="number">{count(value)}</span>;

const cellsOf = (
  run: ExecutionSummary,
  nameOf: ((id: string) => string) | undefined,
  ask: (what: AskedOfRun) => void,
): readonly ComponentChildren[] => [
  <Ago at={run.started_at} />,
  <a class="cut" href={linkToEmitter(run.source_id)}>
    {nameOf?.(run.source_id)}
  </a>,
  <Result run={run} />,
  <span class="dim cut">{triggerLabel(run)}</span>,
  <span class="row">
    {run.deduped > 0 && <Badge>{`${count(run.deduped)} dropped`}</Badge>}
    {number(run.emitted_count)}
  </span>,
  number(run.call_count),
  <span class="number nowrap">{span(run.duration_ms)}</span>,
  run.entry === "run" && (
    <>
      <Button look="quiet" icon="edit" label="Edit and replay" iconOnly act={() => ask("edit")} />
      <Button look="quiet" icon="check" label="Make a test" iconOnly act={() => ask("test")} />
    </>
  ),
];

interface RunTableProps {
  readonly filter: RunFilter;
  /** Absent for the runs of one source: it is not named again in each row. */
  readonly nameOf?: (id: string) => string;
  /** What is shown beside the list: whether it is live. */
  readonly head?: (list: RunList) => ComponentChildren;
}

/** Runs as they end, and older ones while it is scrolled. */
export function RunTable({ filter, nameOf, head }: RunTableProps): JSX.Element {
  const list = useMemo(() => createRunList({ filter }), [JSON.stringify(filter)]);
  const [asked, ask] = useState<{ readonly id: string; readonly what: AskedOfRun }>();
  useEffect(() => {
    void list.load();
    return list.followNew();
  }, [list]);
  const rows = list.rows.value;
  const last = rows.at(-1);
  const isEmpty = rows.length === 0;
  return (
    <>
      {head?.(list)}
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.load()} />}
      {!isEmpty ? (
        <VirtualList
          label="Runs"
          columns={columns.map((column) => ({ ...column, hidden: column.label === "Source" && !nameOf }))}
          {...(isNarrow.value ? { tracks: narrowTracks } : {})}
          rowHeight={isNarrow.value ? rowHeights.narrow : rowHeights.wide}
          items={rows}
          keyOf={({ execution_id: id }) => id}
          cells={(run) => cellsOf(run, nameOf, (what) => ask({ id: run.execution_id, what }))}
          open={({ execution_id: id }) => goTo(linkToRun(id))}
          shown={(visible) => {
            if (visible.at(-1) === last) void list.loadOlder();
          }}
        />
      ) : list.loading.value ? (
        <Loading />
      ) : (
        <Empty title={isRestricted(filter) ? "No such runs" : "No runs yet"}>
          <p>Runs are kept here with their events, requests, logs and db changes.</p>
        </Empty>
      )}
      {asked && <AskedDialog id={asked.id} what={asked.what} close={() => ask(undefined)} />}
    </>
  );
}
