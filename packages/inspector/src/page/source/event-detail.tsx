import type { EventSummary } from "@x/client";
import type { JSX } from "preact";

import type { Query } from "../api/client.ts";
import { readPage } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { linkTo } from "../app/router.ts";
import { exactTime, size } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Badge, Loading, Problem } from "../ui/status.tsx";
import { statusLabels, statusTones } from "../webhooks/webhook.ts";
import type { EventDelivery } from "./event-deliveries.ts";

interface EventDetailProps {
  readonly sourceId: string;
  readonly event: EventSummary;
  /** What restricts the list of the event at the service. */
  readonly query: Query;
  /** The next newer event of that list, if any. */
  readonly newer: EventSummary | undefined;
  readonly deliveries: readonly EventDelivery[] | undefined;
  readonly close: () => void;
}

/** Reads a large event whole: the list has only its size. */
async function readWhole(
  { sourceId, event, query: listed, newer }: EventDetailProps,
  signal: AbortSignal,
): Promise<unknown> {
  if (event.event_truncated !== true) return event.event;
  const query = { ...listed, expand: "event", limit: newer ? 1 : 5, after: newer?.id };
  const { data } = await readPage<EventSummary>(`/sources/${sourceId}/event_summaries`, query, signal);
  const found = data.find(({ id }) => id === event.id);
  if (!found) throw new Error("The event is not stored any more.");
  return found.event;
}

/** One event with its payload and its deliveries. */
export function EventDetail(props: EventDetailProps): JSX.Element {
  const { event, deliveries, close } = props;
  const { metadata } = event;
  const { data, error, loading, reload } = useResource(event.id, (signal) => readWhole(props, signal));
  return (
    <aside class="detail" aria-label="Event">
      <div class="card-head">
        <h2 class="cut">{metadata.summary ?? event.id}</h2>
        <Button look="quiet" icon="close" label="Close the event" iconOnly act={close} />
      </div>
      <div class="card-body stack">
        <dl class="facts">
          <dt>Event</dt>
          <dd>
            <code>{event.id}</code>
          </dd>
          <dt>Stored</dt>
          <dd>{exactTime(event.indexed_at_ms)}</dd>
          {metadata.ts !== undefined && (
            <>
              <dt>Event time</dt>
              <dd>{exactTime(metadata.ts)}</dd>
            </>
          )}
          <dt>Channel</dt>
          <dd>{metadata.name === "" ? <span class="dim">default</span> : metadata.name}</dd>
          <dt>Dedupe id</dt>
          <dd>{metadata.id === undefined ? <span class="dim">none</span> : <code>{metadata.id}</code>}</dd>
          {event.event_bytes !== undefined && (
            <>
              <dt>Size</dt>
              <dd>{size(event.event_bytes)}</dd>
            </>
          )}
          {deliveries && deliveries.length > 0 && (
            <>
              <dt>Deliveries</dt>
              <dd class="row wrap">
                {deliveries.map(({ deliveryId, webhookId, name, status }) => (
                  <span key={deliveryId} class="row">
                    <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
                    <a class="cut" href={linkTo(`/webhooks/${webhookId}`)}>
                      {name}
                    </a>
                  </span>
                ))}
              </dd>
            </>
          )}
        </dl>
        {error !== undefined ? (
          <Problem error={error} retry={reload} />
        ) : loading && data === undefined ? (
          <Loading />
        ) : (
          <>
            <div class="row">
              <h3 class="grow">Payload</h3>
              <CopyButton text={() => JSON.stringify(data, null, 2)} label="Copy JSON" />
            </div>
            <JsonView key={event.id} value={data} open={3} />
          </>
        )}
      </div>
    </aside>
  );
}
