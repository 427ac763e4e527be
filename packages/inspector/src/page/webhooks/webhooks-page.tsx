import type { Webhook } from "@x/client";
import type { ComponentChildren, JSX } from "preact";
import { useCallback, useRef, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { usePagedList } from "../api/paged-list.ts";
import { pageSize } from "../api/pages.ts";
import { usePolling } from "../api/polling.ts";
import { isNarrow } from "../app/media.ts";
import { attempt } from "../app/notices.ts";
import { goTo, linkTo, place, setQuery } from "../app/router.ts";
import { useTypedSearch } from "../app/typed-search.ts";
import { count, exactTime, plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Ago, Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { type Column, VirtualList } from "../ui/virtual-list.tsx";
import { conditionOf, conditions, shareOf, webhookFilters } from "./condition.ts";
import { KeyDialog } from "./key-dialog.tsx";
import { RedeliverDead } from "./redeliver.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { nameOf, outcomeOf } from "./webhook.ts";

const columns: readonly Column[] = [
  { label: "Webhook", width: "minmax(180px, 1fr)" },
  { label: "State", width: "116px" },
  { label: "Last answer", width: "164px" },
  { label: "Delivered, 24 h", width: "112px" },
  { label: "Pending", width: "148px" },
  { label: "Actions", width: "216px", end: true },
];
const rowHeights = { wide: 44, narrow: 96 };
const pollMs = 5_000;
const none = <span class="dim">–</span>;

const linkOf = ({ id }: Webhook): string => linkTo(`/webhooks/${id}`);

interface StateProps {
  readonly state: Webhook["state"];
}

function Condition({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { label, tone } = conditions[conditionOf(webhook)];
  return <Badge tone={tone}>{label}</Badge>;
}

function LastAnswer({ state }: StateProps): JSX.Element {
  const last = state?.last_attempt;
  if (!last) return none;
  return (
    <span class="row" title={last.error ?? undefined}>
      <Badge tone={last.error === null ? "ok" : "bad"}>{outcomeOf(last)}</Badge> <Ago at={last.at * 1_000} />
    </span>
  );
}

function Pending({ state }: StateProps): JSX.Element {
  if (!state || state.oldest_pending_at === null) return none;
  return (
    <span class="row nowrap">
      <span class="number">{count(state.pending)}</span>
      <span class="dim">
        oldest <Ago at={state.oldest_pending_at * 1_000} />
      </span>
    </span>
  );
}

function Share({ state }: StateProps): JSX.Element {
  const share = state && shareOf(state);
  if (share === undefined) return none;
  return (
    <span
      class={`number ${state?.failed ? "some-failed" : ""}`}
      title={`since ${exactTime((state?.since ?? 0) * 1_000)}`}
    >
      {share}
    </span>
  );
}

function cellsOf(webhook: Webhook, changed: () => void): readonly ComponentChildren[] {
  const { state, active, id } = webhook;
  const activate = (): Promise<void> =>
    attempt(() => request("PUT", `/webhooks/${id}`, { body: { active: true } }), `${nameOf(webhook)} is active`).then(
      changed,
    );
  return [
    <>
      <a class="title cut" href={linkOf(webhook)}>
        {nameOf(webhook)}
      </a>
      {webhook.name !== null && <span class="mono dim cut url">{webhook.url}</span>}
    </>,
    <Condition webhook={webhook} />,
    <LastAnswer state={state} />,
    <Share state={state} />,
    <Pending state={state} />,
    <>
      {state && state.dead > 0 && !active && <Badge tone="warn">{`${count(state.dead)} dead`}</Badge>}
      {active ? (
        <RedeliverDead webhook={webhook} dead={state?.dead ?? 0} changed={changed} quiet />
      ) : (
        <Button look="quiet" icon="play" label="Activate" act={activate} />
      )}
    </>,
  ];
}

const path = "/users/me/webhooks";
const fields = { expand: "state" };

/** All webhooks with what becomes of their deliveries. */
export default function WebhooksPage(): JSX.Element {
  const { query } = place.value;
  const [search, setSearch] = useTypedSearch();
  const status = webhookFilters.find(({ value }) => value === query.get("show"))?.value ?? "";
  const q = query.get("q") ?? "";
  const list = usePagedList<Webhook>({ path, fields, keyOf: ({ id }) => id }, { q, status });
  const [adding, setAdding] = useState(false);
  const [key, setKey] = useState<string>();
  const total = list.total.value;
  const isAll = q === "" && status === "";
  const visible = useRef<readonly Webhook[]>([]);
  const renew = useCallback(() => {
    const { length } = list.rows.value;
    // A page of all of them is read as fast as the visible ones, and has those that are new.
    if (length === 0 || (isAll && length <= pageSize)) void list.reload();
    else void list.renew(visible.current.map(({ id }) => id));
  }, [list, isAll]);
  usePolling({ loading: list.loading.value, reload: renew }, pollMs);
  return (
    <div class="page-fill webhooks">
      <PageHead
        title="Webhooks"
        actions={<Button look="main-action" icon="add" label="New webhook" act={() => setAdding(true)} />}
      >
        {total !== undefined && (
          <span class="dim number">{isAll ? plural(total, "webhook") : `${count(total)} found`}</span>
        )}
      </PageHead>
      {list.error.value !== undefined && <Problem error={list.error.value} retry={() => void list.reload()} />}
      <div class="bar">
        <SearchBox label="Search webhooks" value={search} change={setSearch} />
        <Chips label="Show" value={status} choices={webhookFilters} change={(show) => setQuery({ show })} />
      </div>
      {list.rows.value.length > 0 ? (
        <VirtualList
          label="Webhooks"
          columns={columns}
          {...(isNarrow.value ? { tracks: "minmax(0, 1fr) auto" } : {})}
          rowHeight={isNarrow.value ? rowHeights.narrow : rowHeights.wide}
          items={list.rows.value}
          count={total}
          hasMore={list.hasMore.value}
          more={() => void list.more()}
          keyOf={({ id }) => id}
          cells={(webhook) => cellsOf(webhook, () => void list.reload())}
          open={(webhook) => goTo(linkOf(webhook))}
          shown={(rows) => {
            visible.current = rows;
          }}
        />
      ) : total === undefined ? (
        list.loading.value && <Loading />
      ) : isAll ? (
        <Empty title="No webhooks yet">
          <p>A webhook is a URL that gets events as signed POST requests, again and again until it answers 2xx.</p>
        </Empty>
      ) : (
        <Empty title="No webhook matches" />
      )}
      {adding && (
        <WebhookDialog
          close={() => setAdding(false)}
          done={(_, signingKey) => {
            setAdding(false);
            setKey(signingKey);
            void list.reload();
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
    </div>
  );
}
