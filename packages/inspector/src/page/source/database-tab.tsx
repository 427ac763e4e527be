import type { DbEntry } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { isNarrow } from "../app/media.ts";
import { attempt } from "../app/notices.ts";
import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { Confirm, Dialog } from "../ui/dialog.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Ago, Empty, Loading, Problem } from "../ui/status.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

const pathOf = (sourceId: string, key: string): string => `/sources/${sourceId}/db/${encodeURIComponent(key)}`;
const maxEntries = 10_000;

interface EditProps {
  readonly sourceId: string;
  /** Undefined for a new one. */
  readonly entry: DbEntry | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

function EditDialog({ sourceId, entry, close, saved }: EditProps): JSX.Element {
  const [key, setKey] = useState(entry?.key ?? "");
  const [text, setText] = useState(JSON.stringify(entry?.value ?? null, null, 2));
  const [problem, setProblem] = useState("");
  async function save(): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "Not JSON");
      return;
    }
    if (key === "") {
      setProblem("Give a key");
      return;
    }
    if (!(await attempt(() => request("PUT", pathOf(sourceId, key), { body: { value } }), `${key} is saved`))) return;
    close();
    saved();
  }
  return (
    <Dialog
      title={entry ? `Edit ${entry.key}` : "New key"}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label="Save" act={save} />
        </>
      }
    >
      {!entry && (
        <label class="field">
          <span class="field-label">Key</span>
          <input class="input mono" value={key} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
        </label>
      )}
      <CodeEditor label="Value as JSON" language="json" value={text} change={setText} />
      {problem !== "" && (
        <div class="field-problem" role="alert">
          {problem}
        </div>
      )}
    </Dialog>
  );
}

type Asked =
  | { readonly what: "edit"; readonly entry: DbEntry | undefined }
  | { readonly what: "delete"; readonly entry: DbEntry }
  | { readonly what: "reset" };

const columns = [
  { label: "Key", width: "minmax(120px, 1fr)" },
  { label: "Value", width: "minmax(120px, 2fr)" },
  { label: "Changed", width: "104px" },
  { label: "Actions", width: "64px", end: true },
];

interface DialogsProps {
  readonly sourceId: string;
  readonly asked: Asked;
  readonly close: () => void;
  readonly reload: () => void;
}

function Dialogs({ sourceId, asked, close, reload }: DialogsProps): JSX.Element {
  if (asked.what === "edit") return <EditDialog sourceId={sourceId} entry={asked.entry} close={close} saved={reload} />;
  if (asked.what === "delete")
    return (
      <Confirm
        title={`Delete ${asked.entry.key}?`}
        action="Delete"
        close={close}
        act={async () => {
          await attempt(() => request("DELETE", pathOf(sourceId, asked.entry.key)), `${asked.entry.key} is deleted`);
          reload();
        }}
      >
        The next run does not find it.
      </Confirm>
    );
  return (
    <Confirm
      title="Reset the dedupe state?"
      action="Reset"
      close={close}
      act={() => attempt(() => request("POST", `/sources/${sourceId}/dedupe/reset`), "The dedupe state is reset")}
    >
      Afterwards every id counts as new, on every channel. Stored events stay.
    </Confirm>
  );
}

/** The db of a source: read, edit, delete; and its dedupe state. */
export default function DatabaseTab({ source }: SourceTabProps): JSX.Element {
  const { data, error, reload } = useResource(source.id, (signal) =>
    readAll<DbEntry>(`/sources/${source.id}/db`, {}, maxEntries, signal),
  );
  const [search, setSearch] = useState("");
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const found = (data ?? []).filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()));
  return (
    <div class="page-fill database">
      <div class="bar">
        <SearchBox label="Search keys" value={search} change={setSearch} />
        <Button icon="add" label="New key" act={() => setAsked({ what: "edit", entry: undefined })} />
        <Button icon="reload" label="Reload" act={reload} />
        <Button label="Reset dedupe state" act={() => setAsked({ what: "reset" })} />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data ? (
        error === undefined && <Loading />
      ) : found.length === 0 ? (
        <Empty title={data.length === 0 ? "The db is empty" : "No key matches"}>
          {data.length === 0 && <p>A component that has $.service.db as a prop keeps values here.</p>}
        </Empty>
      ) : (
        <VirtualList
          label="Database"
          columns={columns}
          {...(isNarrow.value ? { tracks: "minmax(0, 1fr) minmax(0, 2fr) 72px" } : {})}
          rowHeight={40}
          items={found}
          keyOf={({ key }) => key}
          open={(entry) => setAsked({ what: "edit", entry })}
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
                act={() => setAsked({ what: "edit", entry })}
              />
              <Button
                look="quiet"
                icon="remove"
                label={`Delete ${entry.key}`}
                iconOnly
                act={() => setAsked({ what: "delete", entry })}
              />
            </>,
          ]}
        />
      )}
      {asked && <Dialogs sourceId={source.id} asked={asked} close={() => setAsked(undefined)} reload={reload} />}
    </div>
  );
}
