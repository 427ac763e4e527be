import type { Delivery, DeliveryDetail } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt, notify } from "../app/notices.ts";
import { linkToEmitter } from "../runs/run-links.ts";
import { exactTime, plural, span } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { Ago, Badge, Loading, Problem } from "../ui/status.tsx";
import { Table } from "../ui/table.tsx";
import { BodyView } from "../runs/body-view.tsx";
import { type AttemptDetail, outcomeOf, statusLabels, statusTones } from "./webhook.ts";

function Attempts({ attempts }: { readonly attempts: readonly AttemptDetail[] }): JSX.Element {
  const [shown, show] = useState(attempts.length - 1);
  if (attempts.length === 0) return <p class="dim">No attempt yet</p>;
  const response = attempts[shown]?.response;
  return (
    <>
      <Table columns={["Attempt", "Answer", "Took"]} tight>
        {attempts.map(({ at, http_status: status, error, duration_ms: ms, response: own }, index) => (
          <tr key={index}>
            <td class="number">
              {index + 1}. {exactTime(at * 1_000).slice(0, 19)}
            </td>
            <td>
              {status !== null && <Badge tone={status < 300 ? "ok" : "bad"}>{status}</Badge>} {error}
              {own && index !== shown && <Button look="quiet" label={`Answer ${index + 1}`} act={() => show(index)} />}
            </td>
            <td class="number">{span(ms)}</td>
          </tr>
        ))}
      </Table>
      {response && (
        <BodyView
          label={attempts.length === 1 ? "Answer" : `Answer ${shown + 1}`}
          headers={response.headers}
          text={response.body}
          base64={response.body_base64}
          truncated={response.body_truncated}
          bytes={response.body_bytes}
        />
      )}
    </>
  );
}

function Details({ delivery }: { readonly delivery: Delivery }): JSX.Element {
  const { id, webhook_id: webhook, attempts, event_id: eventId } = delivery;
  const loaded = useResource(`${id} ${attempts.length}`, (signal) =>
    request<DataOf<DeliveryDetail>>("GET", `/webhooks/${webhook}/deliveries/${id}`, { signal }),
  );
  const found = loaded.data?.data;
  return (
    <div class="delivery-detail">
      <section aria-label="Attempts">
        <h3>Attempts</h3>
        {found && <Attempts key={found.attempts.length} attempts={found.attempts} />}
      </section>
      <section aria-label="Event">
        <h3>
          Event <span class="mono">{eventId}</span>
        </h3>
        {loaded.error !== undefined && <Problem error={loaded.error} />}
        {found ? <JsonView value={found.event} /> : loaded.loading && <Loading />}
      </section>
    </div>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly nameOf: (id: string) => string;
  readonly isOpen: boolean;
  /** The delivery after it was sent again. */
  readonly changed: () => void;
}

/** One delivery; its attempts and its event are shown when it is open. */
export function DeliveryRow({ delivery, nameOf, isOpen, changed }: RowProps): JSX.Element {
  const [open, setOpen] = useState(isOpen);
  const { id, status, attempts, emitter_id: emitter, event_name: name, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  const panel = `delivery-${id}`;
  return (
    <li class="delivery" data-open={open}>
      <div class="delivery-head">
        <button
          type="button"
          class="delivery-toggle row"
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
        >
          <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
          <Ago at={delivery.created_at * 1_000} />
          <span class="dim cut">
            {plural(attempts.length, "attempt")}
            {last && (last.error ?? `, ${last.http_status}`) !== "" && `: ${last.error ?? last.http_status ?? ""}`}
          </span>
        </button>
        <span class="row delivery-end">
          {name !== "" && <Badge tone="info">{name}</Badge>}
          <a class="cut" href={linkToEmitter(emitter)}>
            {nameOf(emitter)}
          </a>
          {next !== null && (
            <span class="dim nowrap">
              next <Ago at={next * 1_000} />
            </span>
          )}
          <Button
            look="quiet"
            icon="reload"
            label="Redeliver"
            act={async () => {
              const path = `/webhooks/${delivery.webhook_id}/deliveries/${id}/redeliver`;
              await attempt(async () => {
                const { data } = await request<{ data: Delivery }>("POST", path, { body: { wait: true } });
                const made = data.attempts.at(-1);
                if (!made || data.attempts.length === attempts.length) throw new Error("The attempt has not ended yet");
                if (data.status !== "delivered") throw new Error(`Not delivered: ${made.error}`);
                notify("done", `Delivered: the receiver answered ${outcomeOf(made)} after ${span(made.duration_ms)}`);
              });
              changed();
            }}
          />
        </span>
      </div>
      {open && (
        <div id={panel}>
          <Details delivery={delivery} />
        </div>
      )}
    </li>
  );
}
