import type { AppEndpointDetail, AppListener } from "@x/client";
import type { JSX } from "preact";
import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";

import { readAccountNames } from "../accounts/account-names.ts";
import { ApiError, request } from "../api/client.ts";
import { usePolling } from "../api/polling.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import type { PageProps } from "../app/page-props.ts";
import { linkTo } from "../app/router.ts";
import { Part } from "../runs/part.tsx";
import { textOf } from "../props-form/prop-shape.ts";
import { count } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Loading, Problem } from "../ui/status.tsx";
import { AppListeners } from "./app-listeners.tsx";
import { pathOfEndpoint } from "./app-link.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import type { SecretUse } from "./endpoint-draft.ts";
import { readListening } from "./listening.ts";
import { RecentRequests } from "./recent-requests.tsx";
import { SendTestEvent } from "./send-test-event.tsx";

const pollMs = 3_000;
const maxSecrets = 4;

/** Null without an endpoint. */
async function readEndpoint(app: string, signal: AbortSignal): Promise<AppEndpointDetail | null> {
  try {
    return (await request<DataOf<AppEndpointDetail>>("GET", pathOfEndpoint(app), { signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

interface EndpointProps {
  readonly endpoint: AppEndpointDetail;
  readonly changed: () => void;
}

function Actions({ endpoint: { app }, endpoint, changed }: EndpointProps): JSX.Element {
  const [changes, setChanges] = useState(false);
  const path = pathOfEndpoint(app);
  return (
    <>
      <Button icon="edit" label="Change" act={() => setChanges(true)} />
      <ConfirmedButton
        icon="reload"
        label="Rotate URL"
        title="Give the endpoint another URL?"
        action="Rotate"
        act={() =>
          attempt(() => request("POST", `${path}/rotate`, { body: {} }), "The endpoint has another URL").then(changed)
        }
      >
        The old URL answers 404 at once: paste the new one at the service.
      </ConfirmedButton>
      <ConfirmedButton
        icon="remove"
        label="Remove"
        title={`Remove the endpoint of ${app}?`}
        action="Remove"
        act={() => attempt(() => request("DELETE", path), "The endpoint is removed").then(changed)}
      >
        Its URL answers 404 at once, and its secrets are deleted. Accounts and sources stay.
      </ConfirmedButton>
      {changes && (
        <EndpointDialog
          app={app}
          endpoint={endpoint}
          close={() => setChanges(false)}
          done={() => {
            setChanges(false);
            changed();
          }}
        />
      )}
    </>
  );
}

function Url({ endpoint: { endpoint_url: url, steps, reader } }: Pick<EndpointProps, "endpoint">): JSX.Element {
  return (
    <Part title="Endpoint">
      <div class="stack">
        <div class="code-line">
          <code>{url}</code>
          <CopyButton label="Copy the URL" iconOnly text={url} />
        </div>
        {steps.length > 0 ? (
          <ol class="steps" aria-label="Where the URL is entered">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        ) : (
          <p class="dim">
            Enter the URL at the service as the one for its events.
            {reader === "custom" && " A reader of yours makes events of its requests."}
          </p>
        )}
      </div>
    </Part>
  );
}

function Verification({ endpoint, changed }: EndpointProps): JSX.Element {
  const { app, scheme, secrets, parameters, reader, all_users: allUsers, updated_at: at } = endpoint;
  const [asked, ask] = useState<SecretUse>();
  const close = (): void => ask(undefined);
  return (
    <Part title="Verification">
      <div class="stack">
        {scheme === "none" && (
          <div class="prop-alert warn" role="note">
            Requests are not verified: everybody who knows the URL can send events
            {reader === "custom" ? ", unless the reader verifies them." : "."}
          </div>
        )}
        <dl class="facts">
          <dt>Scheme</dt>
          <dd>
            <code>{scheme}</code>
          </dd>
          {Object.entries(parameters).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{textOf(value)}</code>
              </dd>
            </Fragment>
          ))}
          <dt>Secrets</dt>
          <dd class="number">{count(secrets)}</dd>
          <dt>Read by</dt>
          <dd>{reader === "custom" ? "a reader of yours" : reader}</dd>
          {allUsers && (
            <>
              <dt>Accounts</dt>
              <dd>of all users</dd>
            </>
          )}
          <dt>Changed</dt>
          <dd>
            <Ago at={at * 1_000} />
          </dd>
        </dl>
        {secrets > 0 && (
          <div class="row wrap">
            <Button label="Replace secret" act={() => ask("replace")} />
            {secrets < maxSecrets && <Button label="Add a secret" act={() => ask("add")} />}
          </div>
        )}
        {asked && (
          <EndpointDialog
            app={app}
            endpoint={endpoint}
            secretUse={asked}
            close={close}
            done={() => {
              close();
              changed();
            }}
          />
        )}
      </div>
    </Part>
  );
}

function NoEndpoint({ app, changed }: { readonly app: string; readonly changed: () => void }): JSX.Element {
  const [adding, setAdding] = useState(false);
  return (
    <Part title="Endpoint">
      <div class="stack">
        <p>
          There is no endpoint yet: a URL that the service of <strong>{app}</strong> calls with the events of all
          accounts.
        </p>
        <div class="row">
          <Button look="main-action" icon="add" label="Create the endpoint" act={() => setAdding(true)} />
        </div>
        <p class="dim">
          Without one, a program of yours can send events: <code>POST /v1/apps/{app}/events</code>
        </p>
        {adding && (
          <EndpointDialog
            app={app}
            close={() => setAdding(false)}
            done={() => {
              setAdding(false);
              changed();
            }}
          />
        )}
      </div>
    </Part>
  );
}

/** What is around an endpoint, also when there is none. */
interface Around {
  /** The names of accounts by their ids. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly listeners: readonly AppListener[];
}

/** The accounts of listeners. */
const accountsOf = (listeners: readonly AppListener[]): readonly string[] => [
  ...new Set(listeners.map(({ account_id: id }) => id).filter((id) => id !== null)),
];

/** The listeners are looked for among the sources only where no endpoint names them. */
async function readAround(
  app: string,
  known: readonly AppListener[] | undefined,
  signal: AbortSignal,
): Promise<Around> {
  const listeners = known ?? (await readListening(signal, app)).get(app) ?? [];
  return { accounts: await readAccountNames(accountsOf(listeners), signal), listeners };
}

interface PartsProps {
  readonly app: string;
  readonly endpoint: AppEndpointDetail | null;
  readonly around: Around;
  readonly changed: () => void;
}

function Parts({ app, endpoint, around, changed }: PartsProps): JSX.Element {
  const { listeners } = endpoint ?? around;
  return (
    <div class="overview-columns">
      <div class="stack">
        {endpoint ? <Url endpoint={endpoint} /> : <NoEndpoint app={app} changed={changed} />}
        <AppListeners
          listeners={listeners}
          unknown={endpoint?.unknown_accounts ?? []}
          hasEndpoint={endpoint !== null}
          accounts={around.accounts}
        />
        {endpoint && <RecentRequests requests={endpoint.recent} />}
      </div>
      <div class="stack">
        {endpoint && <Verification endpoint={endpoint} changed={changed} />}
        <SendTestEvent app={app} first={listeners[0]?.event_names[0] ?? ""} />
      </div>
    </div>
  );
}

/** An app: its endpoint, who listens, what arrived, and a test. */
export default function AppPage({ params: { app = "" } }: PageProps): JSX.Element {
  const loaded = useResource(app, (signal) => readEndpoint(app, signal));
  usePolling(loaded, pollMs);
  const endpoint = loaded.data;
  const listeners = endpoint?.listeners;
  const around = useResource(`${String(endpoint && "known")} ${app} ${accountsOf(listeners ?? []).join()}`, (signal) =>
    endpoint === undefined ? Promise.resolve(undefined) : readAround(app, listeners, signal),
  );
  // Other accounts are read while what was typed beside them stays.
  const known = useRef<{ readonly app: string; readonly around: Around } | undefined>(undefined);
  if (around.data) known.current = { app, around: around.data };
  const shown = known.current?.app === app ? known.current.around : undefined;
  return (
    <>
      <PageHead
        title={app}
        crumb={{ label: "Apps", link: linkTo("/apps") }}
        actions={endpoint && <Actions endpoint={endpoint} changed={loaded.reload} />}
      >
        {endpoint?.scheme === "none" && <Badge tone="warn">not verified</Badge>}
      </PageHead>
      <div class="page-body">
        {[loaded, around].map(
          ({ error, reload }, index) => error !== undefined && <Problem key={index} error={error} retry={reload} />,
        )}
        {endpoint === undefined && loaded.loading && <Loading />}
        {endpoint !== undefined && shown && (
          <Parts key={app} app={app} endpoint={endpoint} around={shown} changed={loaded.reload} />
        )}
      </div>
    </>
  );
}
