import { useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { isNarrow } from "../app/media.ts";
import { goTo, linkTo, place, setQuery } from "../app/router.ts";
import { count, plural } from "../text/format.ts";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Spark } from "../ui/spark.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { renewLive } from "./renew-live.ts";
import { SourceActions } from "./source-actions.tsx";
import { filterSources, isFailing, type SourceKind } from "./source-filter.ts";
import { createSourceList, type SourceList, type SourceRow } from "./source-list.ts";

const columns: readonly Column[] = [
  { label: "Source", width: "minmax(180px, 1fr)" },
  { label: "Last run", width: "132px" },
  { label: "Next tick", width: "88px" },
  { label: "Errors, 24 h", width: "80px", end: true },
  { label: "Queue", width: "52px", end: true },
  { label: "Events, 24 h", width: "112px" },
  { label: "Actions", width: "92px", end: true },
];
const rowHeights = { wide: 40, narrow: 68 };
const narrowTracks = "minmax(0, 1fr) auto";

const linkOf = ({ id }: SourceRow): string => linkTo(`/sources/${id}`);
const none = <span class="dim">–</span>;

function LastRun({ row }: { readonly row: SourceRow }): JSX.Element {
  const last = row.state?.last_execution;
  if (!last) return none;
  return (
    <span class="row">
      <span class={`dot ${last.status === "ok" ? "ok" : "bad"}`} aria-hidden="true" />
      <Ago at={last.ended_at} />
      {last.status !== "ok" && <span class="unseen">failed</span>}
    </span>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const dotOf = (row: SourceRow): string => (!row.active ? "hollow" : isFailing(row) ? "bad" : "ok");

function cellsOf(row: SourceRow, list: SourceList): readonly ComponentChildren[] {
  const { state } = row;
  return [
    <>
      <span class={`dot ${dotOf(row)}`} aria-hidden="true" />
      <a class="title cut" href={linkOf(row)}>
        {row.name}
      </a>
      {!row.active && <Badge>paused</Badge>}
      <span class="mono dim cut slug">{row.id}</span>
    </>,
    <LastRun row={row} />,
    state?.next_tick_at_ms ? <Ago at={state.next_tick_at_ms} /> : none,
    state && state.failures_24h > 0 ? <Badge tone="bad">{count(state.failures_24h)}</Badge> : none,
    state && state.queue_depth > 0 ? <span class="number">{count(state.queue_depth)}</span> : none,
    state ? (
      <Spark
        label={`${plural(sum(state.events_per_hour), "event")}, ${plural(state.failures_24h, "error")} in 24 hours`}
        values={state.events_per_hour}
        failed={state.failures_per_hour}
      />
    ) : (
      none
    ),
    <SourceActions
      source={row}
      iconOnly
      ran={() => void list.renew([row.id])}
      changed={(active) => list.change(row.id, { active })}
      deleted={() => list.remove(row.id)}
    />,
  ];
}

const kinds = [
  { value: "all", label: "All" },
  { value: "active", label: "Active" },
  { value: "paused", label: "Paused" },
  { value: "failing", label: "Failing" },
] as const satisfies readonly { value: SourceKind; label: string }[];

const readKind = (text: string | null): SourceKind => kinds.find(({ value }) => value === text)?.value ?? "all";

function Listed({ list, rows }: { readonly list: SourceList; readonly rows: readonly SourceRow[] }): JSX.Element {
  const visible = useRef<readonly string[]>([]);
  useEffect(() => renewLive(list, () => visible.current), [list]);
  return (
    <VirtualList
      label="Sources"
      columns={columns}
      {...(isNarrow.value ? { tracks: narrowTracks } : {})}
      rowHeight={isNarrow.value ? rowHeights.narrow : rowHeights.wide}
      items={rows}
      keyOf={({ id }) => id}
      cells={(row) => cellsOf(row, list)}
      open={(row) => goTo(linkOf(row))}
      shown={(rows) => {
        visible.current = rows.map(({ id }) => id);
      }}
    />
  );
}

/** All sources with what they do. */
export default function SourcesPage(): JSX.Element {
  const list = useMemo(createSourceList, []);
  useEffect(() => {
    void list.load();
    return list.close;
  }, [list]);
  const found = useComputed(() => {
    const { query } = place.value;
    return filterSources(list.rows.value, readKind(query.get("show")), query.get("q") ?? "");
  });
  const { query } = place.value;
  const rows = found.value;
  const isEmpty = list.rows.value.length === 0;
  return (
    <div class="page-fill sources">
      <PageHead title="Sources">
        <span class="dim number" role="status">
          {list.loading.value && !isEmpty
            ? `${count(list.rows.value.length)} of ${plural(list.total.value, "source")}`
            : plural(list.total.value, "source")}
        </span>
      </PageHead>
      <div class="bar">
        <SearchBox label="Search sources" value={query.get("q") ?? ""} change={(q) => setQuery({ q })} />
        <Chips
          label="Show"
          value={readKind(query.get("show"))}
          choices={kinds}
          change={(show) => setQuery({ show: show === "all" ? "" : show })}
        />
      </div>
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.load()} />}
      {rows.length > 0 ? (
        <Listed list={list} rows={rows} />
      ) : isEmpty && list.loading.value ? (
        <Loading />
      ) : isEmpty ? (
        <Empty title="No sources yet">
          <p>Deploy a component with x serve FILE, or with POST /v1/sources.</p>
        </Empty>
      ) : (
        <Empty title="No source matches" />
      )}
    </div>
  );
}
