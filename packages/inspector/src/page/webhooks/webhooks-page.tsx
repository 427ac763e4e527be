import type { Webhook } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { linkTo } from "../app/router.ts";
import { plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { nameOf } from "./webhook.ts";

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }): JSX.Element {
  return (
    <TableCard label="Webhooks" columns={["Webhook", "URL", "Made"]}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <td>
            <span class="row">
              <span class={`dot ${webhook.active ? "ok" : "hollow"}`} aria-hidden="true" />
              <a href={linkTo(`/webhooks/${webhook.id}`)}>{nameOf(webhook)}</a>
              {!webhook.active && <Badge>inactive</Badge>}
            </span>
          </td>
          <td class="mono dim">{webhook.url}</td>
          <td>
            <Ago at={webhook.created_at * 1_000} />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

/** All webhooks. */
export default function WebhooksPage(): JSX.Element {
  const loaded = useResource("webhooks", (signal) => readAll<Webhook>("/users/me/webhooks", {}, 10_000, signal));
  const [adding, setAdding] = useState(false);
  const [key, setKey] = useState<string>();
  const webhooks = loaded.data;
  return (
    <>
      <PageHead
        title="Webhooks"
        actions={<Button look="main-action" icon="add" label="New webhook" act={() => setAdding(true)} />}
      >
        {webhooks && <span class="dim number">{plural(webhooks.length, "webhook")}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!webhooks && loaded.loading && <Loading />}
        {webhooks &&
          (webhooks.length > 0 ? (
            <WebhookTable webhooks={webhooks} />
          ) : (
            <Empty title="No webhooks yet">
              <p>A webhook is a URL that gets events as signed POST requests, again and again until it answers 2xx.</p>
            </Empty>
          ))}
      </div>
      {adding && (
        <WebhookDialog
          close={() => setAdding(false)}
          done={(_, signingKey) => {
            setAdding(false);
            setKey(signingKey);
            loaded.reload();
          }}
        />
      )}
      {key !== undefined && (
        <KeyDialog
          title="The signing key"
          about="Deliveries are signed with it, as Standard Webhooks describes. It is shown only now."
          secret={key}
          close={() => setKey(undefined)}
        />
      )}
    </>
  );
}
