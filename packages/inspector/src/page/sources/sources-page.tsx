import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { useAsked } from "../api/paged-list.ts";
import { isNarrow } from "../app/media.ts";
import { goTo, linkTo, place, setQuery } from "../app/router.ts";
import { useTypedSearch } from "../app/typed-search.ts";
import { SendTo } from "../source/edit-and-run.tsx";
import { count, plural } from "../text/format.ts";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Spark } from "../ui/spark.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { renewLive } from "./renew-live.ts";
import { SourceActions } from "./source-actions.tsx";
import { createSourceList, type SourceList, type SourceRow } from "./source-list.ts";

const columns: readonly Column[] = [
  { label: "Source", width: "minmax(180px, 1fr)" },
  { label: "Last run", width: "132px" },
  { label: "Next tick", width: "88px" },
  { label: "Errors, 24 h", width: "80px", end: true },
  { label: "Queue", width: "52px", end: true },
  { label: "Events, 24 h", width: "112px" },
  { label: "Actions", width: "122px", end: true },
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

const isFailing = ({ state }: SourceRow): boolean => (state?.failures_24h ?? 0) > 0;

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
    <>
      <SendTo id={row.id} name={row.name} />
      <SourceActions
        source={row}
        iconOnly
        ran={() => void list.renew([row.id])}
        changed={(active) => list.change(row.id, { active })}
        deleted={() => list.remove(row.id)}
      />
    </>,
  ];
}

const kinds = [
  { value: "", label: "All" },
  { value: "active", label: "Active" },
  { value: "paused", label: "Paused" },
  { value: "failing", label: "Failing" },
] as const;

function Listed({ list }: { readonly list: SourceList }): JSX.Element {
  const visible = useRef<readonly string[]>([]);
  useEffect(() => renewLive(list, () => visible.current), [list]);
  return (
    <VirtualList
      label="Sources"
      columns={columns}
      {...(isNarrow.value ? { tracks: narrowTracks } : {})}
      rowHeight={isNarrow.value ? rowHeights.narrow : rowHeights.wide}
      items={list.rows.value}
      count={list.total.value}
      hasMore={list.hasMore.value}
      more={() => void list.more()}
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
  const { query } = place.value;
  const [search, setSearch] = useTypedSearch();
  const kind = kinds.find(({ value }) => value === query.get("show"))?.value ?? "";
  const q = query.get("q") ?? "";
  const list = useAsked(useMemo(createSourceList, []), { q, status: kind });
  const total = list.total.value;
  const isAll = q === "" && kind === "";
  return (
    <div class="page-fill sources">
      <PageHead title="Sources">
        <span class="dim number" role="status">
          {total !== undefined && (isAll ? plural(total, "source") : `${count(total)} found`)}
        </span>
      </PageHead>
      <div class="bar">
        <SearchBox label="Search sources" value={search} change={setSearch} />
        <Chips label="Show" value={kind} choices={kinds} change={(show) => setQuery({ show })} />
      </div>
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.reload()} />}
      {list.rows.value.length > 0 ? (
        <Listed list={list} />
      ) : list.loading.value ? (
        <Loading />
      ) : total === undefined ? null : isAll ? (
        <Empty title="No sources yet">
          <p>Deploy a component with x serve FILE, or with POST /v1/sources.</p>
        </Empty>
      ) : (
        <Empty title="No source matches" />
      )}
    </div>
  );
}
