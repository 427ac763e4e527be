import type { LogSummary } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { isNarrow } from "../app/media.ts";
import { place, setQuery } from "../app/router.ts";
import { EmitterFilter } from "../runs/emitter-filter.tsx";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Live } from "../runs/live.tsx";
import { levelOf, logText } from "../runs/log-level.ts";
import { clockTime, count, exactTime } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { LogDetail } from "./log-detail.tsx";
import { createLogList, type LogFilter, type LogList } from "./log-list.ts";
import { logKey } from "./merged-logs.ts";
import { logsCommand } from "./logs-command.ts";

const columns: readonly Column[] = [
  { label: "Time", width: "92px" },
  { label: "Level", width: "44px" },
  { label: "Source", width: "minmax(80px, 168px)" },
  { label: "Text", width: "minmax(160px, 1fr)" },
];
const narrowTracks = "92px 44px minmax(0, 1fr)";
const rowHeights = { wide: 28, narrow: 52 };

const levels = [
  { value: "", label: "All" },
  { value: "info", label: "Info" },
  { value: "warn", label: "Warnings" },
  { value: "error", label: "Errors" },
] as const satisfies readonly { value: LogFilter["level"]; label: string }[];

const readFilter = (query: URLSearchParams): LogFilter => ({
  sourceId: query.get("source") ?? "",
  level: levels.find(({ value }) => value === query.get("level"))?.value ?? "",
  search: query.get("q") ?? "",
});

function cellsOf(log: LogSummary, nameOf: (id: string) => string): readonly ComponentChildren[] {
  const { event, metadata } = log;
  if (event === undefined) return [];
  const level = levelOf(event);
  return [
    <time class="number dim" dateTime={new Date(event.ts).toISOString()} title={exactTime(event.ts)}>
      {clockTime(event.ts)}
    </time>,
    <span class={`log-level ${level}`}>{level}</span>,
    <button
      type="button"
      class="row-link cut dim"
      title="Only this source"
      onClick={() => setQuery({ source: metadata.emitter_id })}
    >
      {nameOf(metadata.emitter_id)}
    </button>,
    <button type="button" class={`row-link cut log-text ${level}`} onClick={() => setQuery({ log: logKey(log) })}>
      {logText(event)}
    </button>,
  ];
}

const waitMs = 250;

/** A text that follows another one when it has not changed for a while. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface BarProps {
  readonly filter: LogFilter;
  readonly list: LogList;
}

function Bar({ filter, list }: BarProps): JSX.Element {
  const [held, setHeld] = useState(false);
  const waiting = list.waiting.value;
  useEffect(() => list.hold(held), [list, held]);
  return (
    <div class="bar">
      <SearchBox label="Search logs" value={filter.search} change={(q) => setQuery({ q })} />
      <EmitterFilter value={filter.sourceId} change={(source) => setQuery({ source })} />
      <Chips label="Level" value={filter.level} choices={levels} change={(level) => setQuery({ level })} />
      <span class="grow" />
      <Button
        icon={held ? "resume" : "pause"}
        label={held ? (waiting > 0 ? `Show ${count(waiting)} new` : "Resume") : "Pause"}
        act={() => setHeld(!held)}
      />
      {!isNarrow.value && <CopyButton text={() => logsCommand(filter)} label="Copy the command: x logs" iconOnly />}
    </div>
  );
}

const isUnfiltered = ({ sourceId, level, search }: LogFilter): boolean => sourceId + level + search === "";

function Nothing({ filter }: { readonly filter: LogFilter }): JSX.Element {
  if (!isUnfiltered(filter)) return <Empty title="No such log records" />;
  return (
    <Empty title="No logs yet">
      <p>What components write with console.log, and the errors that end their runs, appears here as it happens.</p>
    </Empty>
  );
}

/** The logs of all sources and workflows, as they come. */
export default function LogsPage(): JSX.Element {
  const { query } = place.value;
  const filter = readFilter(query);
  const { sourceId, level } = filter;
  const search = useSettled(filter.search);
  const list = useMemo(() => createLogList({ sourceId, level, search }), [sourceId, level, search]);
  useEffect(() => list.open(), [list]);
  const nameOf = useEmitterNames();
  const rows = list.rows.value;
  const open = rows.find((log) => logKey(log) === query.get("log"));
  return (
    <div class="page-fill logs">
      <PageHead title="Logs">
        <Live state={list.state.value} />
      </PageHead>
      <Bar filter={filter} list={list} />
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.read()} />}
      {!list.complete.value && (
        <p class="warning bar">The search ended before all records were read: choose a source.</p>
      )}
      <div class="panes">
        {!(open && isNarrow.value) &&
          (rows.length > 0 ? (
            <VirtualList
              label="Logs"
              columns={columns}
              {...(isNarrow.value ? { tracks: narrowTracks } : {})}
              rowHeight={isNarrow.value ? rowHeights.narrow : rowHeights.wide}
              items={rows}
              keyOf={logKey}
              cells={(log) => cellsOf(log, nameOf)}
              current={open && logKey(open)}
              open={(log) => setQuery({ log: logKey(log) })}
              shown={(visible) => {
                if (visible.at(-1) === rows.at(-1)) void list.readOlder();
              }}
            />
          ) : list.loading.value ? (
            <Loading />
          ) : (
            <Nothing filter={filter} />
          ))}
        {open && <LogDetail log={open} name={nameOf(open.metadata.emitter_id)} close={() => setQuery({ log: "" })} />}
      </div>
    </div>
  );
}
