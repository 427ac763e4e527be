import type { DataStore } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkTo } from "../app/router.ts";
import { count, plural, size } from "../text/format.ts";
import { LongList } from "../ui/long-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";

const Row = ({ store: { name, keys, bytes, updated_at: at } }: { readonly store: DataStore }) => (
  <tr>
    <td>
      <a href={linkTo(`/data-stores/${encodeURIComponent(name)}`)}>{name}</a>
    </td>
    <td class="number">{count(keys)}</td>
    <td class="number">{size(bytes)}</td>
    <td>
      <Ago at={at * 1_000} />
    </td>
  </tr>
);

/** All data stores. */
export default function DataStoresPage(): JSX.Element {
  const loaded = useResource("data stores", (signal) =>
    request<DataOf<readonly DataStore[]>>("GET", "/users/me/data_stores", { signal }).then(({ data }) => data),
  );
  const stores = loaded.data;
  return (
    <>
      <PageHead title="Data stores">
        {stores && <span class="dim number">{plural(stores.length, "data store")}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!stores && loaded.loading && <Loading />}
        {stores?.length === 0 && (
          <Empty title="No data stores yet">
            <p>
              Sources share values in a data store: those whose data_store props are configured with its name. It is
              here as soon as one of them has set a key. x data-stores set NAME KEY VALUE makes one, too.
            </p>
          </Empty>
        )}
        {stores && stores.length > 0 && (
          <LongList label="Search data stores" items={stores} textsOf={({ name }) => [name]}>
            {(shown) => (
              <TableCard label="Data stores" columns={["Data store", "Keys", "Size", "Changed"]}>
                {shown.map((store) => (
                  <Row key={store.name} store={store} />
                ))}
              </TableCard>
            )}
          </LongList>
        )}
      </div>
    </>
  );
}
