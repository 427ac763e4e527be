import type { AppListener, UnknownAccount } from "@x/client";
import type { JSX } from "preact";

import { linkTo } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Part } from "../runs/part.tsx";
import { linkToEmitter } from "../runs/run-links.ts";
import { LongList } from "../ui/long-list.tsx";
import { Badge } from "../ui/status.tsx";

/** The names that are listened to, or that all are. */
export const EventNames = ({ names }: { readonly names: readonly string[] }): JSX.Element =>
  names.length === 0 ? <span class="dim">every event</span> : <code>{names.join(", ")}</code>;

interface ListenersProps {
  readonly listeners: readonly AppListener[];
  /** Accounts that no event can be addressed to. */
  readonly unknown: readonly UnknownAccount[];
  readonly hasEndpoint: boolean;
  /** The names of accounts by their ids. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** An account that no event can be addressed to, and what to do. */
const Unknown = ({ fields }: Pick<UnknownAccount, "fields">): JSX.Element => (
  <span class="row wrap">
    <Badge tone="warn">unknown account</Badge>
    <a href={linkTo("/accounts")}>set {fields.join(" or ")}</a>
  </span>
);

/** Why a source gets nothing, if it does not. */
function Reason({ listener, unknown }: { readonly listener: AppListener } & Pick<ListenersProps, "unknown">) {
  const { active, account_id: account } = listener;
  const fields = unknown.find(({ id }) => id === account)?.fields;
  if (account === null) return <Badge tone="warn">no account</Badge>;
  if (!active) return <Badge>paused</Badge>;
  return fields ? <Unknown fields={fields} /> : null;
}

interface RowProps extends Pick<ListenersProps, "unknown" | "accounts"> {
  readonly listener: AppListener;
  /** The id for a source of another user. */
  readonly name: string;
}

function Row({ listener, name, unknown, accounts }: RowProps): JSX.Element {
  const { source_id: id, prop, event_names: names, account_id: account } = listener;
  return (
    <li class="row wrap">
      <span class="grow stack">
        {name === id ? (
          <code>{id}</code>
        ) : (
          <a class="cut" href={linkToEmitter(id)}>
            {name}
          </a>
        )}
        <span class="dim">
          <code>{prop}</code> gets <EventNames names={names} />
          {account !== null && ` of ${accounts.get(account) ?? account}`}
        </span>
      </span>
      <Reason listener={listener} unknown={unknown} />
    </li>
  );
}

/** The sources that listen to the events of an app, or why they get none. */
export function AppListeners({ listeners, unknown, hasEndpoint, accounts }: ListenersProps): JSX.Element {
  const nameOf = useEmitterNames();
  const used = new Set(listeners.map(({ account_id: account }) => account));
  const unused = unknown.filter(({ id }) => !used.has(id));
  return (
    <Part title="Sources that listen" bare>
      {listeners.length === 0 && (
        <p class="card-body dim">None yet. Deploy a component with a prop $.interface.apphook of this app.</p>
      )}
      {!hasEndpoint && listeners.length > 0 && (
        <p class="card-body row wrap">
          <Badge tone="warn">no endpoint</Badge> The service cannot send events to them yet.
        </p>
      )}
      <LongList label="Search sources" items={listeners} textsOf={({ source_id: id }) => [nameOf(id), id]}>
        {(shown) => (
          <ul class="app-listeners">
            {shown.map((listener) => (
              <Row
                key={`${listener.source_id} ${listener.prop}`}
                listener={listener}
                name={nameOf(listener.source_id)}
                unknown={unknown}
                accounts={accounts}
              />
            ))}
          </ul>
        )}
      </LongList>
      <LongList label="Search accounts" items={unused} textsOf={({ id }) => [accounts.get(id), id]}>
        {(shown) => (
          <ul class="app-listeners">
            {shown.map(({ id, fields }) => (
              <li key={id} class="row wrap">
                <span class="grow dim">Account {accounts.get(id) ?? id}</span>
                <Unknown fields={fields} />
              </li>
            ))}
          </ul>
        )}
      </LongList>
    </Part>
  );
}
