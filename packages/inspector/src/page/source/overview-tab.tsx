import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { attempt } from "../app/notices.ts";
import { exactTime, plural } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { Spark } from "../ui/spark.tsx";
import { Ago, Badge } from "../ui/status.tsx";
import { curlLine, endpointsOf } from "./curl.ts";
import { EventSchemaCard } from "./event-schema-card.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

const Card = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element => (
  <section class="card" aria-label={title}>
    <div class="card-head">
      <h2>{title}</h2>
    </div>
    <div class="card-body">{children}</div>
  </section>
);

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

function Endpoints({ source }: Pick<SourceTabProps, "source">): JSX.Element | null {
  const endpoints = endpointsOf(source.configured_props);
  if (endpoints.length === 0) return null;
  return (
    <Card title="Endpoints">
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
      </div>
    </Card>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, value) => total + value, 0);

function Activity({ source: { state } }: Pick<SourceTabProps, "source">): JSX.Element | null {
  if (!state) return null;
  const { last_execution: last } = state;
  const events = sum(state.events_per_hour);
  return (
    <Card title="Last 24 hours">
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
          <dd class="number">{events}</dd>
          <dt>Errors</dt>
          <dd class="number">{state.failures_24h}</dd>
          <dt>Queue</dt>
          <dd class="number">{state.queue_depth}</dd>
          <dt>Next ticks</dt>
          <dd class="row wrap">
            {state.next_ticks_at_ms.length === 0
              ? "none"
              : state.next_ticks_at_ms.map((at) => <Ago key={at} at={at} />)}
          </dd>
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
    </Card>
  );
}

function About({ source, component }: Pick<SourceTabProps, "source" | "component">): JSX.Element {
  const requested = (source.packages ?? []).filter(({ requested: name }) => name !== undefined);
  return (
    <Card title="About">
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
    </Card>
  );
}

/** What a source is and does. */
export default function OverviewTab({ source, component }: SourceTabProps): JSX.Element {
  return (
    <div class="page-body overview">
      {(source.warnings ?? []).map(({ rule, path, message }) => (
        <div key={rule + path} class="prop-alert" role="note">
          <code>{path}</code> {message}
        </div>
      ))}
      <div class="overview-columns">
        <div class="stack">
          <Endpoints source={source} />
          <Activity source={source} />
        </div>
        <div class="stack">
          <About source={source} component={component} />
          <EventSchemaCard id={source.id} />
        </div>
      </div>
    </div>
  );
}
