import type { EventSummary } from "@x/client";
import { useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { Query } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import { isNarrow } from "../app/media.ts";
import { attempt } from "../app/notices.ts";
import { place, setQuery } from "../app/router.ts";
import { useTypedSearch } from "../app/typed-search.ts";
import { Live } from "../runs/live.tsx";
import { plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { saveFile } from "../ui/save-file.ts";
import { SearchBox } from "../ui/search-box.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { statusLabels, statusTones } from "../webhooks/webhook.ts";
import { DeleteEventsDialog } from "./delete-events.tsx";
import { type Deliveries, readDeliveries } from "./event-deliveries.ts";
import { EventDetail } from "./event-detail.tsx";
import { type EventFilter, matchesEvent, parseEventFilter } from "./event-filter.ts";
import { createEventList, type EventList } from "./event-list.ts";
import { exportEvents } from "./export-events.ts";
import type { SourceTabProps } from "./source-tab-props.ts";

const columns: readonly Column[] = [
  { label: "Time", width: "84px" },
  { label: "Event", width: "minmax(120px, 2fr)" },
  { label: "Channel", width: "96px" },
  { label: "Dedupe id", width: "112px" },
  { label: "Delivery", width: "minmax(100px, 1fr)" },
];
/** The columns that the detail of an event has, too: they leave their room to it. */
const inDetail = ["Channel", "Dedupe id", "Delivery"];
const rowHeights = { one: 40, two: 64 };
/** Fewer rows do not fill a screen. */
const screenful = 40;

const shortOf = ({ event, event_bytes: bytes }: EventSummary): string =>
  bytes === undefined ? JSON.stringify(event).slice(0, 200) : `${bytes} bytes`;

function cellsOf(event: EventSummary, deliveries: Deliveries): readonly ComponentChildren[] {
  const { metadata } = event;
  return [
    <Ago at={event.indexed_at_ms} />,
    <button type="button" class="row-link cut" onClick={() => setQuery({ event: event.id })}>
      {metadata.summary !== undefined && <span class="title">{metadata.summary} </span>}
      <code class="dim">{shortOf(event)}</code>
    </button>,
    metadata.name === "" ? <span class="dim">default</span> : <Badge>{metadata.name}</Badge>,
    metadata.id === undefined ? <span class="dim">–</span> : <code class="cut">{metadata.id}</code>,
    <span class="row event-deliveries">
      {(deliveries?.get(event.id) ?? []).map(({ deliveryId, name, status }) => (
        <Badge key={deliveryId} tone={statusTones[status]}>
          <span class="cut" title={name}>
            {name}
          </span>
          <span class={status === "delivered" ? "unseen" : ""}>{statusLabels[status].toLowerCase()}</span>
        </Badge>
      ))}
    </span>,
  ];
}

interface BarProps extends Pick<SourceTabProps, "source"> {
  readonly list: EventList;
  readonly filter: EventFilter;
  readonly channel: string | null;
  /** How many events are listed. */
  readonly shown: number;
  readonly deleted: () => void;
}

/** How many events there are, and how many of them match: those of a value are counted by the service. */
function Total({ list, filter, channel, shown }: Omit<BarProps, "source" | "deleted">): JSX.Element {
  const isWhole = channel === null && filter.kind === "text" && filter.text === "";
  const found = channel === null && filter.kind === "value" ? list.total.value : shown;
  return (
    <span class="dim number" role="status">
      {isWhole ? plural(list.total.value, "event") : `${plural(found, "event")} found`}
    </span>
  );
}

/** What restricts the list, and what can be done with what it shows. */
function Bar({ source, list, filter, channel, shown, deleted }: BarProps): JSX.Element {
  const [search, setSearch] = useTypedSearch();
  const [deletes, setDeletes] = useState(false);
  const known = useComputed(() => [...new Set(list.events.value.map(({ metadata }) => metadata.name))].sort()).value;
  const channels = channel === null || known.includes(channel) ? known : [...known, channel];
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const content = await exportEvents({ sourceId: source.id, filter, channel });
      saveFile(content, `${source.name_slug}-events.ndjson`);
    });
  return (
    <div class="bar">
      <SearchBox label="Search events: text, or /pointer=value" value={search} change={setSearch} />
      <select
        class="input small fitting-text"
        aria-label="Channel"
        value={channel === null ? "*" : `.${channel}`}
        onChange={({ currentTarget: { value } }) =>
          setQuery({ channel: value === "*" ? "" : value.slice(1) || "default" })
        }
      >
        <option value="*">All channels</option>
        {channels.map((name) => (
          <option key={name} value={`.${name}`}>
            {name === "" ? "default" : name}
          </option>
        ))}
      </select>
      <Total list={list} filter={filter} channel={channel} shown={shown} />
      <Live state={list.live.value} />
      <Button icon="save" label="Export" iconOnly={isNarrow.value} act={save} />
      <Button icon="remove" label="Delete events" iconOnly={isNarrow.value} act={() => setDeletes(true)} />
      {deletes && <DeleteEventsDialog sourceId={source.id} close={() => setDeletes(false)} deleted={deleted} />}
    </div>
  );
}

const readChannel = (text: string | null): string | null => (text === null ? null : text === "default" ? "" : text);

/** What a search asks from the service: the events with a value, or all of them whole, to look for a text in them. */
const queryOf = (filter: EventFilter): Query =>
  filter.kind === "value" ? { q: filter.q } : filter.text === "" ? {} : { expand: "event" };

/** The events of a source, as they come. */
export default function EventsTab({ source }: SourceTabProps): JSX.Element {
  const { query } = place.value;
  const [turn, setTurn] = useState(0);
  const filter = parseEventFilter(query.get("q") ?? "");
  const asked = queryOf(filter);
  const list = useMemo(
    () =>
      createEventList({
        path: `/sources/${source.id}/event_summaries`,
        query: asked,
        admits: (event) => filter.kind === "text" || matchesEvent(filter, event),
        stream: { path: { id: source.id }, query: { channels: "all" } },
      }),
    [source.id, JSON.stringify(asked), turn],
  );
  useEffect(() => list.open(), [list]);
  const all = list.events.value;
  const newest = all[0]?.id ?? "";
  const { data: deliveries } = useResource(`${source.id} ${newest}`, (signal) => readDeliveries(source.id, signal));
  const channel = readChannel(query.get("channel"));
  const events = all.filter(
    (event) =>
      (channel === null || event.metadata.name === channel) && (filter.kind === "value" || matchesEvent(filter, event)),
  );
  const error = list.error.value;
  useEffect(() => {
    if (events.length < screenful && list.hasOlder.value && error === undefined) void list.loadMore();
  });
  const at = all.findIndex(({ id }) => id === query.get("event"));
  const open = all[at];
  const isHidden = open !== undefined && isNarrow.value;
  const shown = columns.map((column) => ({
    ...column,
    hidden: (column.label === "Delivery" && !deliveries) || (open !== undefined && inDetail.includes(column.label)),
  }));
  return (
    <div class="page-fill events">
      <Bar
        source={source}
        list={list}
        filter={filter}
        channel={channel}
        shown={events.length}
        deleted={() => setTurn(turn + 1)}
      />
      {error !== undefined && <Problem error={error} retry={() => void list.loadMore()} />}
      <div class="panes">
        {!isHidden &&
          (events.length > 0 ? (
            <VirtualList
              label="Events"
              columns={shown}
              {...(isNarrow.value ? { tracks: "minmax(0, 1fr) auto" } : {})}
              rowHeight={isNarrow.value && deliveries ? rowHeights.two : rowHeights.one}
              items={events}
              keyOf={({ id }) => id}
              cells={(event) => cellsOf(event, deliveries)}
              current={open?.id}
              open={(event) => setQuery({ event: event.id })}
              shown={(visible) => {
                if (visible.at(-1) === events.at(-1)) void list.loadMore();
              }}
            />
          ) : list.loading.value || list.hasOlder.value ? (
            <Loading />
          ) : (
            <Empty title={all.length === 0 && filter.kind === "text" ? "No events yet" : "No event matches"} />
          ))}
        {open && (
          <EventDetail
            sourceId={source.id}
            event={open}
            query={asked}
            newer={all[at - 1]}
            deliveries={deliveries?.get(open.id)}
            close={() => setQuery({ event: "" })}
          />
        )}
      </div>
    </div>
  );
}
