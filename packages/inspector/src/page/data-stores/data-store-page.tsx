import type { DbEntry } from "@x/client";
import type { JSX } from "preact";

import { ApiError, request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { attempt } from "../app/notices.ts";
import type { PageProps } from "../app/page-props.ts";
import { goTo, linkTo } from "../app/router.ts";
import { EntriesView, maxEntries } from "../entries/entries-view.tsx";
import { plural } from "../text/format.ts";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Empty } from "../ui/status.tsx";

const list = linkTo("/data-stores");

/** A data store that has no key does not exist for the interface. */
const load = (path: string, signal: AbortSignal): Promise<readonly DbEntry[]> =>
  readAll<DbEntry>(path, {}, maxEntries, signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return [];
    throw error;
  });

/** A data store with its values. */
export default function DataStorePage({ params }: PageProps): JSX.Element {
  const name = params["name"] ?? "";
  const store = `/data_stores/${encodeURIComponent(name)}`;
  const path = `${store}/values`;
  const entries = useResource(name, (signal) => load(path, signal));
  const keys = entries.data?.length ?? 0;
  async function remove(): Promise<void> {
    if (await attempt(() => request("DELETE", store), `${name} is deleted`)) goTo(list);
  }
  return (
    <div class="page-fill entries">
      <PageHead
        title={name}
        crumb={{ label: "Data stores", link: list }}
        actions={
          keys > 0 && (
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
        {entries.data && <span class="dim number">{plural(keys, "key")}</span>}
      </PageHead>
      <EntriesView
        label="Entries"
        path={path}
        entries={entries}
        empty={
          <Empty title="The data store is empty">
            <p>It is among the data stores as soon as a source, or you, have put a key in.</p>
          </Empty>
        }
      />
    </div>
  );
}
