import type { Source } from "@x/model";
import type { AppChange, AppReads } from "../app-contract.ts";
import type { SyncReads } from "../reads.ts";
import { appListenersOf } from "../rows/app-rows.ts";
import { put, putNested, refuse, type Tables, type Undo } from "./memory-tables.ts";

/** Replaces what a source listens to. */
export function putAppListeners(tables: Tables, source: Source, undo: Undo): void {
  const listeners = appListenersOf(source);
  put(tables.appListeners, source.id, listeners.length > 0 ? listeners : undefined, undo);
}

type Applier<Op> = (tables: Tables, change: Extract<AppChange, { op: Op }>, undo: Undo) => void;

export const appAppliers: { readonly [Op in AppChange["op"]]: Applier<Op> } = {
  "app_endpoint.put"(tables, { endpoint }, undo) {
    put(tables.appEndpoints, `${endpoint.userId} ${endpoint.slug}`, endpoint, undo);
  },
  "app_endpoint.delete": (tables, { userId, slug }, undo) =>
    put(tables.appEndpoints, `${userId} ${slug}`, undefined, undo),
  "account.identify": (tables, { identity }, undo) => put(tables.identities, identity.accountId, identity, undo),
  "app_event.add"(tables, { userId, slug, id, at }, undo) {
    const app = `${userId} ${slug}`;
    if (tables.appEvents.get(app)?.has(id)) refuse(`the event ${id} of app ${slug} is stored already`);
    putNested(tables.appEvents, app, id, at, undo);
  },
  "app_events.trim"(tables, { userId, slug, before, keep }, undo) {
    const app = `${userId} ${slug}`;
    const ids = [...(tables.appEvents.get(app) ?? [])];
    const kept = ids.slice(Math.max(0, ids.length - keep)).filter(([, at]) => at >= before);
    put(tables.appEvents, app, new Map(kept), undo);
  },
  "request.add"(tables, { owner, entry }, undo) {
    put(tables.requests, owner, [...(tables.requests.get(owner) ?? []), entry], undo);
  },
  "requests.trim"(tables, { owner, keep }, undo) {
    const known = tables.requests.get(owner);
    if (known && known.length > keep) put(tables.requests, owner, known.slice(known.length - keep), undo);
  },
};

/** Reads the endpoints of apps, who listens, and what was received. */
export const appReads = (tables: Tables): Pick<SyncReads, keyof AppReads> => ({
  appEndpoint: (userId, slug) => tables.appEndpoints.get(`${userId} ${slug}`),
  appEndpointByKey: (key) => [...tables.appEndpoints.values()].find((endpoint) => endpoint.key === key),
  appEndpoints: (userId) =>
    [...tables.appEndpoints.values()]
      .filter((endpoint) => endpoint.userId === userId)
      .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
  appListeners: ({ app, names, accountIds, userId }) =>
    [...tables.appListeners.values()]
      .flat()
      .filter(
        (each) =>
          each.app === app &&
          names?.includes(each.name) !== false &&
          accountIds?.includes(each.accountId) !== false &&
          (userId === undefined || each.userId === userId),
      ),
  accountsWith(app, fields, userId) {
    const wanted = new Set(fields.map((field) => JSON.stringify(field)));
    return [...tables.identities.values()]
      .filter((each) => each.app === app && (userId === undefined || each.userId === userId))
      .flatMap(({ accountId, fields: own }) =>
        own.filter((field) => wanted.has(JSON.stringify(field))).map((field) => ({ accountId, field })),
      );
  },
  identityFields: (accountIds) =>
    accountIds.flatMap((accountId) =>
      (tables.identities.get(accountId)?.fields ?? []).map(([name]) => ({ accountId, name })),
    ),
  seenAppEvents(userId, slug, ids) {
    const seen = tables.appEvents.get(`${userId} ${slug}`);
    return ids.flatMap((id) => {
      const at = seen?.get(id);
      return at === undefined ? [] : [{ id, at }];
    });
  },
  requests: (owner, limit) => (tables.requests.get(owner) ?? []).toReversed().slice(0, limit),
});
