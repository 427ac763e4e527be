import type { DbEntry } from "@x/client";
import type { JSX } from "preact";
import { Fragment } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { readAccountNames } from "../accounts/account-names.ts";
import { readPage } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { attempt } from "../app/notices.ts";
import { linkTo } from "../app/router.ts";
import { fieldKind, type PropShape } from "../props-form/prop-shape.ts";
import { Part } from "../runs/part.tsx";
import { count, exactTime, plural } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Spark } from "../ui/spark.tsx";
import { Ago, Badge } from "../ui/status.tsx";
import { AppHooksCards } from "./app-hooks-card.tsx";
import { curlLine, endpointsOf } from "./curl.ts";
import { EventSchemaCard } from "./event-schema-card.tsx";
import { ListenersCard } from "./listeners-card.tsx";
import { SourceProps } from "./props-tab.tsx";
import { RecentRuns } from "./recent-runs.tsx";
import { ScheduleCard } from "./schedule-card.tsx";
import { SendEvent } from "./send-event.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** For endpoints that the hook `activate` registered under another base URL. */
function Reactivate({ id }: { readonly id: string }): JSX.Element {
  const [done, setDone] = useState(false);
  if (done) return <></>;
  return (
    <div class="prop-alert row wrap" role="note">
      <span class="grow">The URLs have changed since activate registered them.</span>
      <Button
        icon="reload"
        label="Reactivate"
        act={async () => {
          const path = `/sources/${id}/reactivate`;
          setDone(await attempt(() => request("POST", path, { body: {} }), "The source has registered its endpoints"));
        }}
      />
    </div>
  );
}

function Endpoints({ source, reload }: Pick<SourceTabProps, "source" | "reload">): JSX.Element | null {
  const endpoints = endpointsOf(source.configured_props);
  if (endpoints.length === 0) return null;
  return (
    <Part title="Endpoint">
      <div class="stack">
        {source.state?.endpoint_changed === true && <Reactivate id={source.id} />}
        {endpoints.map(({ prop, url }) => (
          <div key={prop} class="stack tight">
            <div class="code-line">
              <code>{url}</code>
              <CopyButton text={url} label={`Copy the URL of ${prop}`} iconOnly />
            </div>
            <div class="row wrap">
              <CopyButton text={curlLine(url)} label="Copy as curl" />
              <span class="dim">
                requests run <code>{prop}</code>
              </span>
            </div>
          </div>
        ))}
        <h3>Send an event</h3>
        <SendEvent source={source} sent={reload} />
      </div>
    </Part>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, value) => total + value, 0);

function Activity({ source: { id, state } }: Pick<SourceTabProps, "source">): JSX.Element | null {
  if (!state) return null;
  const { last_execution: last } = state;
  const events = sum(state.events_per_hour);
  return (
    <Part title="Last 24 hours">
      <div class="stack">
        <Spark
          label={`${plural(events, "event")} and ${plural(state.failures_24h, "error")} in 24 hours`}
          values={state.events_per_hour}
          failed={state.failures_per_hour}
          width={480}
          height={64}
        />
        <dl class="facts">
          <dt>Events</dt>
          <dd class="number">{count(events)}</dd>
          <dt>Errors</dt>
          <dd class="number">
            {state.failures_24h === 0 ? 0 : <a href={linkTo(`/sources/${id}/errors`)}>{count(state.failures_24h)}</a>}
          </dd>
          <dt>Queue</dt>
          <dd class="number">{count(state.queue_depth)}</dd>
          {last && (
            <>
              <dt>Last run</dt>
              <dd class="row wrap">
                <Badge tone={last.status === "ok" ? "ok" : "bad"}>{last.status}</Badge>
                <Ago at={last.ended_at} />
                {last.summary !== null && <span class="dim">{last.summary}</span>}
              </dd>
            </>
          )}
        </dl>
      </div>
    </Part>
  );
}

/** How many values its db has. */
function DbSize({ id }: { readonly id: string }): JSX.Element {
  const { data } = useResource(`db ${id}`, (signal) => readPage<DbEntry>(`/sources/${id}/db`, { limit: 1 }, signal));
  return <a href={linkTo(`/sources/${id}/database`)}>{data ? plural(data.page_info.total_count, "key") : "…"}</a>;
}

/** The accounts of its app props, by name. */
function Accounts({ source, component }: Pick<SourceTabProps, "source" | "component">): JSX.Element {
  const props: readonly PropShape[] = component.configurable_props;
  const apps = props.filter(({ type }) => type === "app");
  const accountOf = ({ name }: PropShape): string | undefined =>
    (source.configured_props[name] as { authProvisionId?: string } | null | undefined)?.authProvisionId;
  const ids = apps.map(accountOf).filter((id) => id !== undefined);
  const { data: names } = useResource(ids.join(), (signal) => readAccountNames(ids, signal));
  return (
    <>
      {apps.map((prop) => {
        const account = accountOf(prop);
        return (
          <Fragment key={prop.name}>
            <dt>Account {prop.name}</dt>
            <dd>{account === undefined ? <Badge tone="warn">none</Badge> : (names?.get(account) ?? account)}</dd>
          </Fragment>
        );
      })}
    </>
  );
}

function About({ source, component }: Pick<SourceTabProps, "source" | "component">): JSX.Element {
  const requested = (source.packages ?? []).filter(({ requested: name }) => name !== undefined);
  return (
    <Part title="About">
      <dl class="facts">
        <dt>Source</dt>
        <dd class="row">
          <code>{source.id}</code>
          <CopyButton text={source.id} label="Copy the id" iconOnly />
        </dd>
        <dt>Slug</dt>
        <dd>
          <code>{source.name_slug}</code>
        </dd>
        <dt>Component</dt>
        <dd>
          {component.name} {component.version} <code class="dim">{component.key ?? component.id}</code>
        </dd>
        {component.configurable_props.some(({ type }) => type === "app") && (
          <Accounts source={source} component={component} />
        )}
        <dt>Db</dt>
        <dd>
          <DbSize id={source.id} />
        </dd>
        <dt>Created</dt>
        <dd>{exactTime(source.created_at * 1000).slice(0, 19)}</dd>
        <dt>Changed</dt>
        <dd>{exactTime(source.updated_at * 1000).slice(0, 19)}</dd>
        {requested.length > 0 && (
          <>
            <dt>Packages</dt>
            <dd>{requested.map(({ name, version }) => `${name} ${version}`).join(", ")}</dd>
          </>
        )}
      </dl>
    </Part>
  );
}

/** What a source is and does, and what can be done with it. */
export default function OverviewTab({ source, component, reload }: SourceTabProps): JSX.Element {
  return (
    <div class="page-body overview">
      {(source.warnings ?? []).map(({ rule, path, message }) => (
        <div key={rule + path} class="prop-alert" role="note">
          <code>{path}</code> {message}
        </div>
      ))}
      {component.description !== undefined && <p class="description">{component.description}</p>}
      <div class="overview-columns">
        <div class="stack">
          <Endpoints source={source} reload={reload} />
          <AppHooksCards source={source} component={component} />
          <ScheduleCard source={source} />
          <RecentRuns source={source} />
          {component.configurable_props.some((prop) => fieldKind(prop) !== "none") && (
            <Part title="Props">
              <SourceProps source={source} component={component} reload={reload} />
            </Part>
          )}
        </div>
        <div class="stack">
          <Activity source={source} />
          <ListenersCard sourceId={source.id} />
          <About source={source} component={component} />
          <EventSchemaCard id={source.id} />
        </div>
      </div>
    </div>
  );
}
