import type { Subscription, Webhook } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkTo } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Part } from "../runs/part.tsx";
import { linkToEmitter } from "../runs/run-links.ts";
import { Badge, Problem } from "../ui/status.tsx";
import { nameOf as nameOfWebhook } from "../webhooks/webhook.ts";

/** What listens to a source, with the names of webhooks. */
interface Listening {
  readonly subscriptions: readonly Subscription[];
  readonly webhooks: ReadonlyMap<string, string>;
}

/** Reads who gets the events of a source. */
async function readListening(sourceId: string, signal: AbortSignal): Promise<Listening> {
  const path = "/users/me/subscriptions";
  const { data } = await request<DataOf<readonly Subscription[]>>("GET", path, { signal });
  const subscriptions = data.filter(({ emitter_id: id }) => id === sourceId || id === "dc_*");
  const hasWebhook = subscriptions.some(({ listener_id: id }) => id.startsWith("wh_"));
  const webhooks = hasWebhook
    ? await readAll<Webhook>("/users/me/webhooks", { include: "id,name,url" }, 10_000, signal)
    : [];
  return { subscriptions, webhooks: new Map(webhooks.map((webhook) => [webhook.id, nameOfWebhook(webhook)])) };
}

/** Who gets the events of a source. */
export function ListenersCard({ sourceId }: { readonly sourceId: string }): JSX.Element {
  const nameOf = useEmitterNames();
  const { data, error } = useResource(`listeners ${sourceId}`, (signal) => readListening(sourceId, signal));
  return (
    <Part title="Listeners">
      {error !== undefined && <Problem error={error} />}
      {data?.subscriptions.length === 0 && (
        <p class="dim">Nobody gets its events yet. Subscribe a webhook, a source or a workflow.</p>
      )}
      <ul class="stack tight">
        {data?.subscriptions.map(({ id, listener_id: listener, event_name: name }) => (
          <li key={id} class="row">
            <a
              class="cut"
              href={listener.startsWith("wh_") ? linkTo(`/webhooks/${listener}`) : linkToEmitter(listener)}
            >
              {data.webhooks.get(listener) ?? nameOf(listener)}
            </a>
            {name !== "" && name !== "default" && <Badge tone="info">{name}</Badge>}
          </li>
        ))}
      </ul>
    </Part>
  );
}
