import type { DbEntry } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { attempt } from "../app/notices.ts";
import { EntriesView, maxEntries } from "../entries/entries-view.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { Empty } from "../ui/status.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The db of a source: read, edit, delete; and its dedupe state. */
export default function DatabaseTab({ source: { id } }: SourceTabProps): JSX.Element {
  const path = `/sources/${id}/db`;
  const entries = useResource(id, (signal) => readAll<DbEntry>(path, {}, maxEntries, signal));
  return (
    <div class="page-fill entries">
      <EntriesView
        label="Database"
        path={path}
        entries={entries}
        empty={
          <Empty title="The db is empty">
            <p>A component that has $.service.db as a prop keeps values here.</p>
          </Empty>
        }
      >
        <ConfirmedButton
          label="Reset dedupe state"
          title="Reset the dedupe state?"
          action="Reset"
          act={() => attempt(() => request("POST", `/sources/${id}/dedupe/reset`), "The dedupe state is reset")}
        >
          Afterwards every id counts as new, on every channel. Stored events stay.
        </ConfirmedButton>
      </EntriesView>
    </div>
  );
}
