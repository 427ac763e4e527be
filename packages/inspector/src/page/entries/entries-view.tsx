import type { DbEntry } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { isNarrow } from "../app/media.ts";
import { attempt } from "../app/notices.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import type { Searched } from "../ui/searched-list.tsx";
import { Ago, Empty, Loading, Problem } from "../ui/status.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { EditEntry, entryPath } from "./edit-entry.tsx";

type Asked =
  | { readonly what: "edit"; readonly entry: DbEntry | undefined }
  | { readonly what: "delete"; readonly entry: DbEntry };

const columns = [
  { label: "Key", width: "minmax(120px, 1fr)" },
  { label: "Value", width: "minmax(120px, 2fr)" },
  { label: "Changed", width: "104px" },
  { label: "Actions", width: "64px", end: true },
];

interface EntriesViewProps {
  /** What the list is called. */
  readonly label: string;
  /** The path of the list. */
  readonly path: string;
  readonly searched: Searched<DbEntry>;
  /** Shown when there are none. */
  readonly empty: JSX.Element;
  /** More buttons. */
  readonly children?: ComponentChildren;
}

/** The entries of a db or data store: found by their key, edited, added and deleted. */
export function EntriesView({ label, path, searched, empty, children }: EntriesViewProps): JSX.Element {
  const { list, search, setSearch, isAll } = searched;
  const error = list.error.value;
  const rows = list.rows.value;
  const total = list.total.value;
  const reload = (): void => void list.reload();
  const [asked, ask] = useState<Asked>();
  const close = (): void => ask(undefined);
  return (
    <>
      <div class="bar">
        <SearchBox label="Search keys" value={search} change={setSearch} />
        <Button icon="add" label="New key" act={() => ask({ what: "edit", entry: undefined })} />
        <Button icon="reload" label="Reload" act={reload} />
        {children}
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {rows.length > 0 ? (
        <VirtualList
          label={label}
          columns={columns}
          {...(isNarrow.value ? { tracks: "minmax(0, 1fr) minmax(0, 2fr) 72px" } : {})}
          rowHeight={40}
          items={rows}
          count={total}
          hasMore={list.hasMore.value}
          more={() => void list.more()}
          keyOf={({ key }) => key}
          open={(entry) => ask({ what: "edit", entry })}
          cells={(entry) => [
            <code class="cut">{entry.key}</code>,
            <code class="cut dim">{JSON.stringify(entry.value).slice(0, 200)}</code>,
            entry.updated_at === null ? "" : <Ago at={entry.updated_at * 1000} />,
            <>
              <Button
                look="quiet"
                icon="edit"
                label={`Edit ${entry.key}`}
                iconOnly
                act={() => ask({ what: "edit", entry })}
              />
              <Button
                look="quiet"
                icon="remove"
                label={`Delete ${entry.key}`}
                iconOnly
                act={() => ask({ what: "delete", entry })}
              />
            </>,
          ]}
        />
      ) : list.loading.value ? (
        <Loading />
      ) : (
        total !== undefined && (isAll ? empty : <Empty title="No key matches" />)
      )}
      {asked?.what === "edit" && <EditEntry path={path} entry={asked.entry} close={close} saved={reload} />}
      {asked?.what === "delete" && (
        <Confirm
          title={`Delete ${asked.entry.key}?`}
          action="Delete"
          close={close}
          act={async () => {
            const { key } = asked.entry;
            await attempt(() => request("DELETE", entryPath(path, key)), `${key} is deleted`);
            reload();
          }}
        >
          The next run does not find it.
        </Confirm>
      )}
    </>
  );
}
