import type { DbEntry } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { attempt } from "../app/notices.ts";
import type { PageProps } from "../app/page-props.ts";
import { goTo, linkTo } from "../app/router.ts";
import { EntriesView } from "../entries/entries-view.tsx";
import { count, plural } from "../text/format.ts";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useSearchedList } from "../ui/searched-list.tsx";
import { Empty } from "../ui/status.tsx";

const list = linkTo("/data-stores");

/** A data store with its values. */
export default function DataStorePage({ params }: PageProps): JSX.Element {
  const name = params["name"] ?? "";
  const store = `/data_stores/${encodeURIComponent(name)}`;
  const path = `${store}/values`;
  const searched = useSearchedList<DbEntry>({ path, keyOf: ({ key }) => key });
  const total = searched.list.total.value;
  async function remove(): Promise<void> {
    if (await attempt(() => request("DELETE", store), `${name} is deleted`)) goTo(list);
  }
  return (
    <div class="page-fill entries">
      <PageHead
        title={name}
        crumb={{ label: "Data stores", link: list }}
        actions={
          total !== undefined &&
          (total > 0 || !searched.isAll) && (
            <ConfirmedButton
              icon="remove"
              label="Delete data store"
              title={`Delete ${name}?`}
              action="Delete"
              act={remove}
            >
              All its keys are deleted. Sources that are configured with it go on, and find it empty.
            </ConfirmedButton>
          )
        }
      >
        {total !== undefined && (
          <span class="dim number">{searched.isAll ? plural(total, "key") : `${count(total)} found`}</span>
        )}
      </PageHead>
      <EntriesView
        label="Entries"
        path={path}
        searched={searched}
        empty={
          <Empty title="The data store is empty">
            <p>It is listed once it has a key, set by a source or by you.</p>
          </Empty>
        }
      />
    </div>
  );
}
