import type { Delivery, WebhookDetail } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { pageSize, readAll, readCount } from "../api/pages.ts";
import { usePolling } from "../api/polling.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import type { PageProps } from "../app/page-props.ts";
import { goTo, linkTo, place, setQuery } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Part } from "../runs/part.tsx";
import { count, plural } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { conditionOf, conditions, shareOf } from "./condition.ts";
import { RangeDialog, RedeliverDead } from "./redeliver.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { type DeliveryStatus, nameOf, outcomeOf } from "./webhook.ts";

const statuses = ["", "pending", "delivered", "dead"] as const satisfies readonly (DeliveryStatus | "")[];
const pollMs = 3_000;

const filterLabels: Readonly<Record<(typeof statuses)[number], string>> = {
  "": "All",
  pending: "Pending",
  delivered: "Delivered",
  dead: "Dead letters",
};

/** How many deliveries there are of each status. */
const readCounts = (path: string, signal: AbortSignal): Promise<readonly number[]> =>
  Promise.all(statuses.map((status) => readCount(path, status === "" ? {} : { status }, signal)));

interface ActionsProps {
  readonly webhook: WebhookDetail;
  readonly changed: () => void;
}

function Actions({ webhook, changed }: ActionsProps): JSX.Element {
  const [edits, setEdits] = useState(false);
  const [key, setKey] = useState<string>();
  const path = `/webhooks/${webhook.id}`;
  const setActive = (active: boolean): Promise<boolean> =>
    attempt(
      () => request("PUT", path, { body: { active } }).then(changed),
      active ? "The webhook is active" : "The webhook is paused",
    );
  return (
    <>
      <Button
        icon={webhook.active ? "pause" : "play"}
        label={webhook.active ? "Pause" : "Activate"}
        act={() => setActive(!webhook.active)}
      />
      <Button icon="edit" label="Edit" act={() => setEdits(true)} />
      <ConfirmedButton
        icon="reload"
        label="Rotate key"
        title="Rotate the signing key?"
        action="Rotate"
        act={() =>
          attempt(async () => {
            const { data } = await request<DataOf<{ signing_key: string }>>("POST", `${path}/rotate_key`, { body: {} });
            setKey(data.signing_key);
          })
        }
      >
        Deliveries are signed with the new key at once, and for one day with the old one too.
      </ConfirmedButton>
      <ConfirmedButton
        icon="remove"
        label="Delete"
        title={`Delete ${nameOf(webhook)}?`}
        action="Delete"
        act={async () => {
          if (await attempt(() => request("DELETE", path), "The webhook is deleted")) goTo(linkTo("/webhooks"));
        }}
      >
        Its subscriptions and its deliveries are deleted with it.
      </ConfirmedButton>
      {edits && (
        <WebhookDialog
          webhook={webhook}
          close={() => setEdits(false)}
          done={() => {
            setEdits(false);
            changed();
          }}
        />
      )}
      {key !== undefined && (
        <KeyDialog
          title="The new signing key"
          about="It is shown only now. The old key also signs for one day."
          secret={key}
          close={() => setKey(undefined)}
        />
      )}
    </>
  );
}

function Deliveries({
  webhook,
  changed,
}: {
  readonly webhook: WebhookDetail;
  readonly changed: () => void;
}): JSX.Element {
  const { id } = webhook;
  const [asksRange, askRange] = useState(false);
  const nameOfEmitter = useEmitterNames();
  const { query } = place.value;
  const status = statuses.find((value) => value === query.get("status")) ?? "";
  const path = `/webhooks/${id}/deliveries`;
  const [pages, setPages] = useState(1);
  useEffect(() => setPages(1), [status]);
  const loaded = useResource(`${id} ${status}`, async (signal) => {
    const filter = status === "" ? {} : { status };
    const counts = await readCounts(path, signal);
    return { counts, deliveries: await readAll<Delivery>(path, filter, pages * pageSize, signal) };
  });
  usePolling(loaded, pollMs);
  useEffect(() => {
    if (pages > 1) loaded.reload();
  }, [pages]);
  const { counts = [], deliveries: shown } = loaded.data ?? {};
  const numbered = statuses.map((value, index) => {
    const label = filterLabels[value];
    return { value, label: counts[index] ? `${label} ${count(counts[index])}` : label };
  });
  const renew = (): void => {
    loaded.reload();
    changed();
  };
  const left = (counts[statuses.indexOf(status)] ?? 0) - (shown?.length ?? 0);
  return (
    <Part
      title="Deliveries"
      bare
      end={
        <div class="row wrap">
          {webhook.active && (
            <>
              <RedeliverDead webhook={webhook} dead={counts[statuses.indexOf("dead")] ?? 0} changed={renew} />
              <Button look="quiet" label="Redeliver a range" act={() => askRange(true)} />
            </>
          )}
          <Chips label="Status" value={status} choices={numbered} change={(next) => setQuery({ status: next })} />
        </div>
      }
    >
      {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
      {!shown && loaded.loading && <Loading />}
      {shown?.length === 0 && <Empty title={status === "" ? "No deliveries yet" : "No such deliveries"} />}
      <ul>
        {shown?.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            nameOf={nameOfEmitter}
            isOpen={query.get("delivery") === delivery.id}
            changed={renew}
          />
        ))}
      </ul>
      {left > 0 && (
        <div class="card-body">
          <Button label={`Show more of ${count(left)} older`} act={() => setPages(pages + 1)} />
        </div>
      )}
      {asksRange && <RangeDialog webhook={webhook} close={() => askRange(false)} changed={renew} />}
    </Part>
  );
}

function Condition({ webhook }: { readonly webhook: WebhookDetail }): JSX.Element {
  const { label, tone } = conditions[conditionOf(webhook)];
  return <Badge tone={tone}>{label}</Badge>;
}

/** What becomes of its deliveries, in one line. */
function Facts({ webhook: { state, created_at: created } }: { readonly webhook: WebhookDetail }): JSX.Element {
  const last = state?.last_attempt;
  return (
    <dl class="fact-row">
      <div>
        <dt>Last answer</dt>
        <dd>
          {last ? (
            <>
              <Badge tone={last.error === null ? "ok" : "bad"}>{outcomeOf(last)}</Badge> <Ago at={last.at * 1_000} />
            </>
          ) : (
            "none yet"
          )}
        </dd>
      </div>
      <div>
        <dt>Delivered, 24 h</dt>
        <dd class="number">{(state && shareOf(state)) ?? "none"}</dd>
      </div>
      <div>
        <dt>Oldest pending</dt>
        <dd>{state && state.oldest_pending_at !== null ? <Ago at={state.oldest_pending_at * 1_000} /> : "none"}</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <Ago at={created * 1_000} />
        </dd>
      </div>
    </dl>
  );
}

/** A webhook with its deliveries. */
export default function WebhookPage({ params }: PageProps): JSX.Element {
  const id = encodeURIComponent(params["id"] ?? "");
  const loaded = useResource(id, (signal) =>
    request<DataOf<WebhookDetail>>("GET", `/webhooks/${id}`, { query: { expand: "state" }, signal }).then(
      ({ data }) => data,
    ),
  );
  const webhook = loaded.data;
  return (
    <>
      <PageHead
        title={webhook ? nameOf(webhook) : "Webhook"}
        crumb={{ label: "Webhooks", link: linkTo("/webhooks") }}
        actions={webhook && <Actions webhook={webhook} changed={loaded.reload} />}
      >
        {webhook && <Condition webhook={webhook} />}
        {webhook && webhook.skipped_events > 0 && (
          <Badge tone="warn">{`${plural(webhook.skipped_events, "event")} skipped`}</Badge>
        )}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!webhook && loaded.loading && <Loading />}
        {webhook && (
          <>
            <div class="code-line">
              <span class="dim">POST</span>
              <code>{webhook.url}</code>
              <CopyButton label="Copy the URL" iconOnly text={webhook.url} />
            </div>
            <Facts webhook={webhook} />
            <Deliveries webhook={webhook} changed={loaded.reload} />
          </>
        )}
      </div>
    </>
  );
}
