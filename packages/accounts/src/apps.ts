import type { AppView, NewApp, ServiceView } from "./contract.ts";
import {
  XError,
  createDispatcher,
  type Account,
  type AccountApp,
  type AuthorizationServer,
  type Clock,
} from "@x/model";
import { OAuthFailure } from "./oauth/failure.ts";
import type { OAuthProtocol } from "./oauth/protocol.ts";
import { addressesOf, type ServerClient, serverOf, serviceOf, urlProblem } from "./oauth/server.ts";
import type { KnownService } from "./oauth/services/service.ts";
import { services } from "./oauth/services/table.ts";
import type { Store } from "@x/store";
import { validateNewApp } from "./app-input.ts";

/** How accounts of apps are connected: for each user and slug a client, or the names of keys. */
export interface Apps {
  /** Replaces the user's app with this slug. Rejects with `invalid_parameter`, and with `connect_failed` for its issuer. */
  put(input: NewApp, userId: string): Promise<AppView>;
  list(userId: string): Promise<readonly AppView[]>;
  /** Accounts stay; their tokens are no longer renewed. */
  delete(slug: string, userId: string): Promise<void>;
  /** Rejects with `not_found`. */
  own(slug: string, userId: string): Promise<AccountApp>;
  /** The authorization server of an account; undefined without a client. */
  serverOf(account: Account): Promise<ServerClient | undefined>;
}

export interface AppsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly protocol: OAuthProtocol;
  /** Where authorization servers send browsers by default. */
  readonly callbackUrl: string;
  endpointUrl(key: string): string;
}

const maxApps = 500;

/** Texts among the fields of `$auth`: they fill in the addresses. */
const textsOf = (fields: Account["auth"]): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"));

function viewOf(app: AccountApp, callbackUrl: string, endpointUrl: string | null): AppView {
  const { slug, oauth, clientSecret, fields, createdAt, updatedAt } = app;
  const isAsked = oauth !== undefined && oauth.grant !== "client_credentials";
  const view = { app: slug, redirectUri: isAsked ? callbackUrl : null, fields, endpointUrl, createdAt, updatedAt };
  if (!oauth) return { ...view, oauth: null };
  const { clientId, service = null, grant = "authorization_code", ...given } = oauth;
  const server: AuthorizationServer = { ...serviceOf(app)?.server, ...given };
  return { ...view, oauth: { clientId, hasSecret: clientSecret !== "", grant, service, server } };
}

/** A known service as it is listed. */
const viewService = ({ name, label, apps, server, fields = [], docs, note }: KnownService): ServiceView => ({
  name,
  label,
  apps,
  server,
  fields,
  docs,
  note: note ?? null,
});

/** All known services. */
export const listServices = (): readonly ServiceView[] => services.map(viewService);

export function createApps({ store, clock, protocol, callbackUrl, endpointUrl }: AppsParts): Apps {
  const lanes = createDispatcher();

  /** The addresses that the metadata of an issuer names, for a client without its own. */
  async function discovered(slug: string, server: AuthorizationServer): Promise<AuthorizationServer> {
    if (server.issuer === undefined || server.tokenUrl !== undefined) return {};
    const found = await protocol.discover(server.issuer).catch((error: unknown) => {
      if (!(error instanceof OAuthFailure)) throw error;
      throw new XError("connect_failed", [
        slug,
        `the metadata of ${server.issuer ?? ""} cannot be read: ${error.message}`,
      ]);
    });
    const problem = addressesOf(found)
      .map(urlProblem)
      .find((each) => each !== undefined);
    if (problem !== undefined)
      throw new XError("connect_failed", [slug, `the metadata of ${server.issuer} has an address: ${problem}`]);
    return found;
  }

  async function own(slug: string, userId: string): Promise<AccountApp> {
    const app = await store.app(userId, slug);
    if (!app) throw new XError("not_found", ["app", slug, `set it up with x apps add ${slug}`]);
    return app;
  }

  return {
    own,
    async put(input, userId) {
      const given = validateNewApp(input);
      const known = given.oauth && serviceOf(given)?.server;
      const more = given.oauth ? await discovered(given.slug, { ...known, ...given.oauth }) : {};
      const oauth = given.oauth && { ...more, ...given.oauth };
      if (oauth && { ...known, ...oauth }.tokenUrl === undefined)
        throw new XError("missing_parameter", [
          "oauth.tokenUrl",
          "the URL of the token endpoint, an issuer, or a service",
        ]);
      return lanes.run(userId, async () => {
        const before = await store.apps(userId);
        const old = before.find(({ slug }) => slug === given.slug);
        if (!old && before.length >= maxApps)
          throw new XError("invalid_parameter", ["app", `one of at most ${maxApps}`, "one more"]);
        const now = clock.now();
        const app: AccountApp = {
          ...given,
          userId,
          ...(oauth && { oauth }),
          createdAt: old?.createdAt ?? now,
          updatedAt: now,
        };
        await store.commit([{ op: "app.put", app }]);
        const endpoint = await store.appEndpoint(userId, app.slug);
        return viewOf(app, callbackUrl, endpoint ? endpointUrl(endpoint.key) : null);
      });
    },
    async list(userId) {
      const [apps, endpoints] = await Promise.all([store.apps(userId), store.appEndpoints(userId)]);
      const urls = new Map(endpoints.map(({ slug, key }) => [slug, endpointUrl(key)]));
      const views = apps.map((app) => viewOf(app, callbackUrl, urls.get(app.slug) ?? null));
      const known = new Set(apps.map(({ slug }) => slug));
      const others = endpoints
        .filter(({ slug }) => !known.has(slug))
        .map(({ slug, createdAt, updatedAt }) => {
          const app = { userId, slug, clientSecret: "", fields: [], createdAt, updatedAt };
          return viewOf(app, callbackUrl, urls.get(slug) ?? null);
        });
      return [...views, ...others].sort((a, b) => (a.app < b.app ? -1 : 1));
    },
    delete: (slug, userId) =>
      lanes.run(userId, async () => {
        await own(slug, userId);
        await store.commit([{ op: "app.delete", userId, slug }]);
      }),
    async serverOf({ app: slug, userId, auth }) {
      const app = await store.app(userId, slug);
      return app && serverOf(app, textsOf(auth));
    },
  };
}
