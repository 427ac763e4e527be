import type { Account } from "@x/client";
import type { JSX } from "preact";

import { messageOf } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { ControlTies } from "./field.tsx";
import type { PropShape } from "./prop-shape.ts";

interface AccountControlProps {
  readonly prop: PropShape;
  readonly ties: ControlTies;
  readonly held: string | undefined;
  readonly change: (held: string | undefined) => void;
}

/** One of the connected accounts of an app. */
export function AccountControl({ prop, ties, held, change }: AccountControlProps): JSX.Element {
  const app = prop.app ?? "";
  const {
    data: accounts = [],
    error,
    loading,
  } = useResource(app, (signal) => readAll<Account>("/users/me/accounts", { app }, 1_000, signal));
  const isKnown = held === undefined || held === "" || accounts.some(({ id }) => id === held);
  return (
    <>
      <select
        {...ties}
        class="input"
        value={held ?? ""}
        onChange={({ currentTarget: { value } }) => change(value === "" ? undefined : value)}
      >
        <option value="">{loading ? "Loading accounts…" : "No account"}</option>
        {accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === null ? id : `${name} (${id})`}
          </option>
        ))}
        {!isKnown && <option value={held}>{held}</option>}
      </select>
      {error !== undefined && <div class="field-problem">{messageOf(error)}</div>}
      {!loading && accounts.length === 0 && error === undefined && (
        <div class="field-about">No account of {app} is connected yet.</div>
      )}
    </>
  );
}
