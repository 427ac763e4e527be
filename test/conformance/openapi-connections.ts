import { clientId, clientSecret, startAuthorizationServer } from "../oauth/authorization-server.ts";
import type { Data } from "./fixture.ts";

/** Sends a request and validates the answer against the description. */
type Exchange = <T>(
  operation: string,
  status: number,
  request?: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly body?: unknown;
  },
) => Promise<T>;

/** Apps, and accounts that are connected by them. */
export async function exchangeConnections(exchange: Exchange): Promise<void> {
  const redirect_uri = "http://127.0.0.1:9/callback";
  await using server = await startAuthorizationServer({ redirectUris: [redirect_uri] });
  const oauth = { client_id: clientId, client_secret: clientSecret, issuer: server.issuer, scopes: ["openid", "read"] };
  const params = { app: "acme" };
  await exchange("PUT /apps/{app}", 200, { params, body: { oauth } });
  await exchange("PUT /apps/{app}", 200, {
    params: { app: "keyed" },
    body: { fields: [{ name: "key", label: "Key" }] },
  });
  await exchange("GET /users/me/apps", 200);
  await exchange("GET /apps/services", 200);
  const body = { app: "acme", name: "Connected", redirect_uri };
  const { data } = await exchange<Data<{ id: string; authorize_url: string }>>("POST /accounts/connect", 200, { body });
  const url = await server.agree(data.authorize_url, redirect_uri);
  await exchange("POST /accounts/connect/complete", 200, { body: { url } });
  const connection = { params: { id: data.id }, query: "wait=true" };
  const ended = await exchange<Data<{ account_id: string }>>("GET /accounts/connect/{id}", 200, connection);
  await exchange("GET /users/me/accounts", 200);
  await exchange("DELETE /accounts/{id}", 204, { params: { id: ended.data.account_id } });
  await exchange("DELETE /apps/{app}", 204, { params });
}

/** The endpoint of an app, and events of it. */
export async function exchangeApps(exchange: Exchange, sourceId: string): Promise<void> {
  const params = { app: "slack" };
  await exchange("PUT /apps/{app}/endpoint", 200, { params, body: { secret: "s" } });
  await exchange("POST /apps/{app}/endpoint/rotate", 200, { params });
  const events = [{ id: "e1", names: ["message"], accounts: [{ team_id: "T1" }], data: {} }];
  await exchange("POST /apps/{app}/events", 200, { params, body: { events } });
  await exchange("GET /apps/{app}/endpoint", 200, { params });
  await exchange("GET /users/me/apps", 200);
  await exchange("DELETE /apps/{app}/endpoint", 204, { params });
  await exchange("GET /sources/{id}/requests", 200, { params: { id: sourceId } });
}
