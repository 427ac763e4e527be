import type { Subscription } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkTo } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Part } from "../runs/part.tsx";
import { linkToEmitter } from "../runs/run-links.ts";
import { LongList } from "../ui/long-list.tsx";
import { Badge, Problem } from "../ui/status.tsx";
import { readWebhookNames } from "../webhooks/webhook.ts";

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
  const webhooks = new Set(subscriptions.map(({ listener_id: id }) => id).filter((id) => id.startsWith("wh_")));
  return { subscriptions, webhooks: await readWebhookNames([...webhooks], signal) };
}

/** Who gets the events of a source. */
export function ListenersCard({ sourceId }: { readonly sourceId: string }): JSX.Element {
  const nameOf = useEmitterNames();
  const { data, error } = useResource(`listeners ${sourceId}`, (signal) => readListening(sourceId, signal));
  const called = (id: string): string => data?.webhooks.get(id) ?? nameOf(id);
  return (
    <Part title="Listeners">
      {error !== undefined && <Problem error={error} />}
      {data?.subscriptions.length === 0 && (
        <p class="dim">Nobody gets its events yet. Subscribe a webhook, a source or a workflow.</p>
      )}
      <LongList
        label="Search listeners"
        items={data?.subscriptions ?? []}
        textsOf={({ listener_id: id, event_name: name }) => [called(id), name]}
      >
        {(shown) => (
          <ul class="stack tight">
            {shown.map(({ id, listener_id: listener, event_name: name }) => (
              <li key={id} class="row">
                <a
                  class="cut"
                  href={listener.startsWith("wh_") ? linkTo(`/webhooks/${listener}`) : linkToEmitter(listener)}
                >
                  {called(listener)}
                </a>
                {name !== "" && name !== "default" && <Badge tone="info">{name}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </LongList>
    </Part>
  );
}
