import type { DbEntry } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { attempt } from "../app/notices.ts";
import { EntriesView } from "../entries/entries-view.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { useSearchedList } from "../ui/searched-list.tsx";
import { Empty } from "../ui/status.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The db of a source: read, edit, delete; and its dedupe state. */
export default function DatabaseTab({ source: { id } }: SourceTabProps): JSX.Element {
  const path = `/sources/${id}/db`;
  const searched = useSearchedList<DbEntry>({ path, keyOf: ({ key }) => key });
  return (
    <div class="page-fill entries">
      <EntriesView
        label="Database"
        path={path}
        searched={searched}
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
