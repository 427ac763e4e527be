import type { AccountIdentity, Source } from "@x/model";
import type { AppChange } from "../app-contract.ts";
import { appListenersOf } from "./app-rows.ts";
import type { RowList } from "./row-list.ts";

export function addIdentity(list: RowList, { accountId, userId, app, fields }: AccountIdentity): void {
  list.add("deleteIdentities", "account_identity", accountId);
  for (const [name, value] of fields) list.add("addIdentity", "account_identity", app, name, value, userId, accountId);
}

/** Replaces what a source listens to. */
export function addAppListeners(list: RowList, source: Source): void {
  list.add("deleteAppListeners", "app_listener", source.id);
  for (const { app, name, userId, sourceId, prop, accountId, active } of appListenersOf(source))
    list.add("addAppListener", "app_listener", app, name, userId, sourceId, prop, accountId, active);
}

type Adders = { readonly [Op in AppChange["op"]]: (list: RowList, change: Extract<AppChange, { op: Op }>) => void };

const adders: Adders = {
  "app_endpoint.put"(list, { endpoint }) {
    const { userId, slug, key } = endpoint;
    list.add("putAppEndpoint", "app_endpoint", userId, slug, key, JSON.stringify(endpoint));
  },
  "app_endpoint.delete": (list, { userId, slug }) => list.add("deleteAppEndpoint", "app_endpoint", userId, slug),
  "account.identify": (list, { identity }) => addIdentity(list, identity),
  "app_event.add": (list, { userId, slug, id, at }) =>
    list.add("addAppEvent", `app_event:${userId} ${slug}`, userId, slug, id, at),
  "app_events.trim": (list, { userId, slug, before, keep }) =>
    list.add("trimAppEvents", `app_event:${userId} ${slug}`, userId, slug, before, keep),
  "request.add": (list, { owner, entry }) => list.add("addRequest", `request:${owner}`, owner, JSON.stringify(entry)),
  "requests.trim": (list, { owner, keep }) => list.add("trimRequests", `request:${owner}`, owner, keep),
};

export const isAppChange = (change: { readonly op: string }): change is AppChange => Object.hasOwn(adders, change.op);

export function addAppChange(list: RowList, change: AppChange): void {
  const add = adders[change.op] as (list: RowList, change: AppChange) => void;
  add(list, change);
}
