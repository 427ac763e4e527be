import type { AppEndpointDetail, AppEndpointView, AppListenerView, UnknownAccount } from "../api/app-events-api.ts";
import type { AppEndpoint, AppListener } from "@x/model";
import { listItems, type Store } from "@x/store";
import type { RequestLog } from "../http/request-log.ts";
import { shownParameters } from "../signatures/verification-input.ts";
import { ownerOfEndpoint } from "./answer-app.ts";
import { findAppService } from "./services/table.ts";

export interface AppEndpointViewParts {
  readonly store: Pick<Store, "accounts" | "appListeners" | "identityFields">;
  readonly log: Pick<RequestLog, "recent">;
  endpointUrl(key: string): string;
}

/** Shows endpoints of apps without their secrets. */
export interface AppEndpointViews {
  show(endpoint: AppEndpoint): Promise<AppEndpointView>;
  /** With who listens, and what it received. */
  detail(endpoint: AppEndpoint): Promise<AppEndpointDetail>;
}

const maxListeners = 100;
const maxUnknown = 20;

/** Each source and prop once, with all names. */
function listenerViews(listeners: readonly AppListener[]): AppListenerView[] {
  const found = Map.groupBy(listeners, ({ sourceId, prop }) => `${sourceId} ${prop}`);
  return [...found.values()].slice(0, maxListeners).map((rows): AppListenerView => {
    const [first] = rows as [AppListener];
    return {
      sourceId: first.sourceId,
      prop: first.prop,
      names: rows.map(({ name }) => name).filter((name) => name !== ""),
      accountId: first.accountId === "" ? null : first.accountId,
      active: first.active,
    };
  });
}

export function createAppEndpointViews(parts: AppEndpointViewParts): AppEndpointViews {
  const { store } = parts;

  const listenersOf = ({ slug, userId, allUsers }: AppEndpoint): Promise<readonly AppListener[]> =>
    store.appListeners({ app: slug, ...(!allUsers && { userId }) });

  async function view(endpoint: AppEndpoint, known?: readonly AppListener[]): Promise<AppEndpointView> {
    const { slug: app, key, service, verification, reader, allUsers, createdAt, updatedAt } = endpoint;
    const listeners = known ?? (await listenersOf(endpoint));
    const found = findAppService(service ?? "");
    return {
      app,
      endpointUrl: parts.endpointUrl(key),
      service: service ?? null,
      scheme: verification.scheme,
      parameters: shownParameters(verification),
      secrets: verification.secrets.length,
      reader: reader ? "custom" : (service ?? "none"),
      allUsers,
      sources: new Set(listeners.map(({ sourceId }) => sourceId)).size,
      steps: found?.steps ?? [],
      createdAt,
      updatedAt,
    };
  }

  /** Accounts of the user that no event of the service can be addressed to, where there are several. */
  async function unknownAccounts({ slug, service, userId, reader }: AppEndpoint): Promise<UnknownAccount[]> {
    const fields = reader ? undefined : findAppService(service ?? "")?.addressedBy;
    if (!fields) return [];
    const ids: string[] = [];
    for await (const { id } of listItems((page) => store.accounts(userId, page, slug))) ids.push(id);
    if (ids.length < 2) return [];
    const known = (await store.identityFields(ids)).filter(({ name }) => fields.includes(name));
    const identified = new Set(known.map(({ accountId }) => accountId));
    return ids
      .filter((id) => !identified.has(id))
      .slice(0, maxUnknown)
      .map((id) => ({ id, fields }));
  }

  return {
    show: (endpoint) => view(endpoint),
    async detail(endpoint) {
      const listeners = await listenersOf(endpoint);
      return {
        ...(await view(endpoint, listeners)),
        listeners: listenerViews(listeners),
        unknownAccounts: await unknownAccounts(endpoint),
        recent: await parts.log.recent(ownerOfEndpoint(endpoint)),
      };
    },
  };
}
