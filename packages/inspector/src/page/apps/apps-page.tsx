import type { Account, App } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { goTo, linkTo } from "../app/router.ts";
import { count, plural } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { LongList } from "../ui/long-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { linkToApp } from "./app-link.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { readListening } from "./listening.ts";

/** What a user has of one app. */
interface AppRow {
  readonly app: string;
  readonly url: string | null;
  readonly hasClient: boolean;
  readonly accounts: number;
  /** How many sources listen to its events. */
  readonly sources: number;
}

async function readApps(signal: AbortSignal): Promise<readonly AppRow[]> {
  const [{ data: apps }, accounts, listening] = await Promise.all([
    request<DataOf<readonly App[]>>("GET", "/users/me/apps", { signal }),
    readAll<Pick<Account, "app">>("/users/me/accounts", { include: "app" }, 10_000, signal),
    readListening(signal),
  ]);
  const known = new Map(apps.map((each) => [each.app, each]));
  const slugs = new Set([...known.keys(), ...accounts.map(({ app }) => app), ...listening.keys()]);
  const connected = new Map<string, number>();
  for (const { app } of accounts) connected.set(app, (connected.get(app) ?? 0) + 1);
  return [...slugs].sort().map((app) => ({
    app,
    url: known.get(app)?.endpoint_url ?? null,
    hasClient: (known.get(app)?.oauth ?? null) !== null,
    accounts: connected.get(app) ?? 0,
    sources: new Set(listening.get(app)?.map(({ source_id: id }) => id)).size,
  }));
}

const none = <span class="dim">–</span>;

function Row({ row: { app, url, hasClient, accounts, sources } }: { readonly row: AppRow }): JSX.Element {
  return (
    <tr>
      <td class="nowrap">
        <a href={linkToApp(app)}>{app}</a>
      </td>
      <td>
        {url !== null && (
          <span class="row">
            <code>{url}</code>
            <CopyButton text={url} label={`Copy the URL of ${app}`} iconOnly />
          </span>
        )}
        {url === null && (sources > 0 ? <Badge tone="warn">none yet, and sources listen</Badge> : none)}
      </td>
      <td>{hasClient ? "yes" : none}</td>
      <td class="number">{accounts === 0 ? none : <a href={linkTo("/accounts")}>{count(accounts)}</a>}</td>
      <td class="number">{sources === 0 ? none : count(sources)}</td>
    </tr>
  );
}

/** The apps of a user: with an endpoint, an OAuth client, accounts or sources that listen. */
export default function AppsPage(): JSX.Element {
  const loaded = useResource("apps page", readApps);
  const [adding, setAdding] = useState(false);
  const rows = loaded.data;
  return (
    <>
      <PageHead
        title="Apps"
        actions={<Button look="main-action" icon="add" label="New endpoint" act={() => setAdding(true)} />}
      >
        {rows && <span class="dim number">{plural(rows.length, "app")}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!rows && loaded.loading && <Loading />}
        {rows?.length === 0 && (
          <Empty title="No apps yet">
            <p>
              The service of an app, such as Slack, calls one URL with the events of all its accounts; every source that
              listens gets them. A new endpoint is such a URL.
            </p>
          </Empty>
        )}
        {rows && rows.length > 0 && (
          <LongList label="Search apps" items={rows} textsOf={({ app, url }) => [app, url]}>
            {(shown) => (
              <TableCard label="Apps" columns={["App", "Endpoint", "OAuth client", "Accounts", "Sources that listen"]}>
                {shown.map((row) => (
                  <Row key={row.app} row={row} />
                ))}
              </TableCard>
            )}
          </LongList>
        )}
      </div>
      {adding && <EndpointDialog close={() => setAdding(false)} done={({ app }) => goTo(linkToApp(app))} />}
    </>
  );
}
