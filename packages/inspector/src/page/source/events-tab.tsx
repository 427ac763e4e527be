import type { EventSummary } from "@x/client";
import { useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";

import { useResource } from "../api/resource.ts";
import { isNarrow } from "../app/media.ts";
import { place, setQuery } from "../app/router.ts";
import { plural } from "../text/format.ts";
import { SearchBox } from "../ui/search-box.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { type Deliveries, readDeliveries } from "./event-deliveries.ts";
import { EventDetail, toneOf } from "./event-detail.tsx";
import { createEventList, type EventList } from "./event-list.ts";
import { Live } from "../runs/live.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

const columns: readonly Column[] = [
  { label: "Time", width: "84px" },
  { label: "Event", width: "minmax(120px, 1fr)" },
  { label: "Channel", width: "96px" },
  { label: "Dedupe id", width: "112px" },
];
const delivered: Column = { label: "Delivery", width: "96px" };

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
    ...(deliveries
      ? [
          <span class="row">
            {(deliveries.get(event.id) ?? []).map(({ deliveryId, status }) => (
              <Badge key={deliveryId} tone={toneOf(status)}>
                {status}
              </Badge>
            ))}
          </span>,
        ]
      : []),
  ];
}

interface FilterProps {
  readonly list: EventList;
  readonly channel: string | null;
}

function Filters({ list, channel }: FilterProps): JSX.Element {
  const channels = useComputed(() => [...new Set(list.events.value.map(({ metadata }) => metadata.name))].sort());
  const shown = channel === null || channels.value.includes(channel) ? channels.value : [...channels.value, channel];
  return (
    <div class="bar">
      <SearchBox label="Search events" value={place.value.query.get("q") ?? ""} change={(q) => setQuery({ q })} />
      <select
        class="input small fitting-text"
        aria-label="Channel"
        value={channel === null ? "*" : `.${channel}`}
        onChange={({ currentTarget: { value } }) =>
          setQuery({ channel: value === "*" ? "" : value.slice(1) || "default" })
        }
      >
        <option value="*">All channels</option>
        {shown.map((name) => (
          <option key={name} value={`.${name}`}>
            {name === "" ? "default" : name}
          </option>
        ))}
      </select>
      <span class="dim number">{plural(list.total.value, "event")}</span>
      <Live state={list.live.value} />
    </div>
  );
}

const matches = (event: EventSummary, search: string): boolean =>
  search === "" ||
  `${event.metadata.summary ?? ""} ${event.metadata.id ?? ""} ${JSON.stringify(event.event) ?? ""}`
    .toLowerCase()
    .includes(search.toLowerCase());

const readChannel = (text: string | null): string | null => (text === null ? null : text === "default" ? "" : text);

/** The events of a source, as they come. */
export default function EventsTab({ source }: SourceTabProps): JSX.Element {
  const list = useMemo(
    () =>
      createEventList({
        path: `/sources/${source.id}/event_summaries`,
        stream: { path: { id: source.id }, query: { channels: "all" } },
      }),
    [source.id],
  );
  useEffect(() => list.open(), [list]);
  const newest = list.events.value[0]?.id ?? "";
  const { data: deliveries } = useResource(`${source.id} ${newest}`, (signal) => readDeliveries(source.id, signal));
  const { query } = place.value;
  const channel = readChannel(query.get("channel"));
  const events = list.events.value.filter(
    (event) => (channel === null || event.metadata.name === channel) && matches(event, query.get("q") ?? ""),
  );
  const at = list.events.value.findIndex(({ id }) => id === query.get("event"));
  const open = list.events.value[at];
  const isHidden = open !== undefined && isNarrow.value;
  return (
    <div class={`page-fill events ${open ? "with-detail" : ""}`}>
      <Filters list={list} channel={channel} />
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.loadMore()} />}
      <div class="panes">
        {!isHidden &&
          (events.length > 0 ? (
            <VirtualList
              label="Events"
              columns={deliveries ? [...columns, delivered] : columns}
              {...(isNarrow.value ? { tracks: "72px minmax(0, 1fr)" } : {})}
              rowHeight={40}
              items={events}
              keyOf={({ id }) => id}
              cells={(event) => cellsOf(event, deliveries)}
              current={open?.id}
              open={(event) => setQuery({ event: event.id })}
              shown={(shown) => {
                if (shown.at(-1) === events.at(-1)) void list.loadMore();
              }}
            />
          ) : list.loading.value ? (
            <Loading />
          ) : (
            <Empty title={list.events.value.length === 0 ? "No events yet" : "No event matches"} />
          ))}
        {open && (
          <EventDetail
            sourceId={source.id}
            event={open}
            newer={list.events.value[at - 1]}
            deliveries={deliveries?.get(open.id)}
            close={() => setQuery({ event: "" })}
          />
        )}
      </div>
    </div>
  );
}
