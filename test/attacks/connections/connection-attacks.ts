import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "vitest";

import { component, type Data, type ErrorBody, type Reply } from "../../conformance/fixture.ts";
import type { UserClient } from "../../conformance/user-client.ts";
import { clientId, clientSecret } from "../../oauth/authorization-server.ts";
import { type Connected, publicRedirect, redirectUri } from "../../oauth/connected.ts";
import type { Attack } from "../attack.ts";

/** A service with two users, at whose authorization server both have a client. */
export interface World extends Connected {
  readonly alice: UserClient;
  readonly bob: UserClient;
}

/** An attack on the connection of an account. */
export interface ConnectionAttack extends Attack {
  attack(world: World): Promise<void>;
}

interface Begun {
  readonly id: string;
  readonly authorize_url: string;
}

type Answer = Reply<Data<{ status: string; account_id: string | null }> & ErrorBody>;

const begin = (user: UserClient, body: object = {}): Promise<Begun> =>
  user.data<Begun>("POST", "/accounts/connect", { app: "acme", redirect_uri: redirectUri, ...body });
const complete = (user: UserClient, url: string): Promise<Answer> =>
  user.call("POST", "/accounts/connect/complete", { url });
const back = (world: World, { authorize_url: url }: Begun, to = redirectUri): Promise<string> =>
  world.server.agree(url, to);

/** The URL with other parameters; undefined removes one. */
function withParameters(url: string, changes: Record<string, string | undefined>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed.href;
}

const visit = ({ service }: World, url: string, method = "GET"): Promise<Response> =>
  fetch(service.url + new URL(url).pathname + new URL(url).search, { method, redirect: "manual" });

async function accountsOf(user: UserClient): Promise<number> {
  return (await user.call<{ page_info: { total_count: number } }>("GET", "/users/me/accounts")).body.page_info
    .total_count;
}

/** The attempt is refused, nobody gets an account, and the server is asked for no token. */
async function expectNothing(world: World, attempt: () => Promise<Answer>, status: number): Promise<void> {
  const before = [await accountsOf(world.alice), await accountsOf(world.bob), world.server.granted.length];
  expect((await attempt()).status).toBe(status);
  expect([await accountsOf(world.alice), await accountsOf(world.bob), world.server.granted.length]).toEqual(before);
}

type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server of the attacker. */
async function withServer<T>(answer: Listener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const json = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Sets an app whose server is the attacker's, with the rights of a client. */
const putClient = (user: UserClient, tokenUrl: string): Promise<unknown> =>
  user.call("PUT", "/apps/evil", {
    oauth: { client_id: "c", client_secret: clientSecret, token_url: tokenUrl, grant: "client_credentials" },
  });

const rows: readonly (readonly [id: string, attack: ConnectionAttack["attack"]])[] = [
  [
    "state-unknown",
    async (world) => {
      const url = withParameters(await back(world, await begin(world.alice)), { state: "another-state" });
      await expectNothing(world, () => complete(world.alice, url), 404);
      expect((await visit(world, withParameters(publicRedirect, { code: "c", state: "s" }), "POST")).status).toBe(404);
    },
  ],
  [
    "state-missing",
    async (world) => {
      const url = withParameters(await back(world, await begin(world.alice)), { state: undefined });
      await expectNothing(world, () => complete(world.alice, url), 404);
    },
  ],
  [
    "state-replayed",
    async (world) => {
      const url = await back(world, await begin(world.alice));
      expect((await complete(world.alice, url)).status).toBe(200);
      await expectNothing(world, () => complete(world.alice, url), 404);
    },
  ],
  [
    "state-twice-at-once",
    async (world) => {
      const url = await back(world, await begin(world.alice));
      const before = await accountsOf(world.alice);
      const both = await Promise.all([complete(world.alice, url), complete(world.alice, url)]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      expect(await accountsOf(world.alice)).toBe(before + 1);
    },
  ],
  [
    "state-of-another-user",
    async (world) => {
      const url = await back(world, await begin(world.alice));
      await expectNothing(world, () => complete(world.bob, url), 404);
      // It is not used up by that.
      expect((await complete(world.alice, url)).status).toBe(200);
    },
  ],
  [
    "state-late",
    async (world) => {
      const url = await back(world, await begin(world.alice));
      world.service.clock.jump(10 * 60_000);
      await expectNothing(world, () => complete(world.alice, url), 404);
    },
  ],
  [
    "state-twice",
    async (world) => {
      const url = `${await back(world, await begin(world.alice))}&state=other`;
      await expectNothing(world, () => complete(world.alice, url), 422);
    },
  ],
  [
    "code-of-another-sign-in",
    async (world) => {
      const stolen = new URL(await back(world, await begin(world.bob))).searchParams.get("code") ?? "";
      const own = await back(world, await begin(world.alice));
      // The code has the challenge of another verifier.
      await expectNothing(world, () => complete(world.alice, withParameters(own, { code: stolen })), 422);
    },
  ],
  [
    "issuer-of-another-server",
    async (world) => {
      const url = await back(world, await begin(world.alice));
      const mixed = withParameters(url, { iss: "https://evil.example" });
      await expectNothing(world, () => complete(world.alice, mixed), 422);
    },
  ],
  [
    "issuer-missing",
    async (world) => {
      const url = withParameters(await back(world, await begin(world.alice)), { iss: undefined });
      await expectNothing(world, () => complete(world.alice, url), 422);
    },
  ],
  [
    "callback-leads-elsewhere",
    async (world) => {
      const begun = await begin(world.alice, { redirect_uri: undefined });
      const url = withParameters(await back(world, begun, publicRedirect), {
        redirect: "https://evil.example",
        return_to: "//evil.example",
        next: "javascript:alert(1)",
      });
      const page = await visit(world, url, "POST");
      expect([page.status, page.headers.get("location"), page.headers.get("refresh")]).toEqual([200, null, null]);
      const text = await page.text();
      expect(text).not.toMatch(/evil\.example|http-equiv|javascript:/);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    },
  ],
  [
    "callback-markup",
    async (world) => {
      const state = new URL((await begin(world.alice, { redirect_uri: undefined })).authorize_url).searchParams.get(
        "state",
      );
      const url = withParameters(publicRedirect, {
        state: state ?? "",
        iss: world.server.issuer,
        error: "<script>alert(1)</script>",
        error_description: '"><img src=x onerror=alert(1)>',
      });
      const page = await visit(world, url, "POST");
      expect(page.status).toBe(422);
      expect(await page.text()).not.toMatch(/<script>|<img/);
    },
  ],
  [
    "callback-of-a-sent-link",
    async (world) => {
      const begun = await begin(world.alice, { redirect_uri: undefined });
      const url = await back(world, begun, publicRedirect);
      const before = await accountsOf(world.alice);
      // The person did not begin this: the page asks first, and other methods do nothing.
      const asked = await visit(world, url);
      expect(await asked.text()).toContain("Go on only if you began this yourself");
      expect((await visit(world, url, "HEAD")).status).toBe(405);
      expect((await visit(world, url, "PUT")).status).toBe(405);
      expect(await accountsOf(world.alice)).toBe(before);
      expect(asked.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    },
  ],
  [
    "redirect-that-is-no-page",
    async ({ alice }) => {
      const wrong = [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://evil.example/callback",
        "https://user:secret@example.com/",
        "https://example.com/#code",
        "file:///etc/passwd",
        "//evil.example",
        "",
      ];
      for (const redirect_uri of wrong) {
        const reply = await alice.call("POST", "/accounts/connect", { app: "acme", redirect_uri });
        expect(reply.status, redirect_uri).toBe(400);
      }
    },
  ],
  [
    "part-of-an-address",
    async ({ alice }) => {
      await alice.call("PUT", "/apps/zendesk", { oauth: { client_id: "c", client_secret: clientSecret } });
      for (const subdomain of ["evil.example/", "x@evil.example", "evil.example#", "..", "a/../b", "a%2eb", "a:80"]) {
        const reply = await alice.call("POST", "/accounts/connect", { app: "zendesk", fields: { subdomain } });
        expect(reply.status, subdomain).toBe(400);
      }
    },
  ],
  [
    "metadata-names-another-place",
    async ({ alice }) => {
      await withServer(
        (request, response) => {
          const issuer = `http://${request.headers.host ?? ""}`;
          json(response, 200, { issuer, token_endpoint: "http://evil.example/token", authorization_endpoint: issuer });
        },
        async (issuer) => {
          const reply = await alice.call("PUT", "/apps/evil", { oauth: { client_id: "c", issuer } });
          expect(reply.status).toBe(422);
        },
      );
    },
  ],
  [
    "token-endpoint-redirects",
    async ({ alice }) => {
      const received: string[] = [];
      await withServer(
        (_, response, body) => {
          received.push(body);
          json(response, 200, { access_token: "stolen" });
        },
        async (thief) => {
          await withServer(
            (_, response) => void response.writeHead(307, { location: `${thief}/token` }).end(),
            async (url) => {
              await putClient(alice, `${url}/token`);
              const reply = await alice.call("POST", "/accounts/connect", { app: "evil" });
              expect(reply.status).toBe(422);
            },
          );
        },
      );
      // The secret of the client did not go there.
      expect(received).toEqual([]);
    },
  ],
  [
    "token-endpoint-tells-secrets",
    async ({ alice }) => {
      await withServer(
        (_, response, body) => json(response, 400, { error: "invalid_client", error_description: `you sent ${body}` }),
        async (url) => {
          await putClient(alice, `${url}/token`);
          const reply = await alice.call("POST", "/accounts/connect", { app: "evil" });
          expect([reply.status, JSON.stringify(reply.body).includes(clientSecret)]).toEqual([422, false]);
        },
      );
    },
  ],
  [
    "token-endpoint-floods",
    async ({ alice }) => {
      await withServer(
        (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(2 ** 21)),
        async (url) => {
          await putClient(alice, `${url}/token`);
          expect((await alice.call("POST", "/accounts/connect", { app: "evil" })).status).toBe(422);
        },
      );
    },
  ],
  [
    "token-of-another-user",
    async (world) => {
      const done = await complete(world.alice, await back(world, await begin(world.alice)));
      const acme = 'acme: { type: "app", app: "acme" }';
      const telling = await world.alice.data<{ id: string }>("POST", "/sources", {
        component_code: component({ name: "Telling", props: acme, run: "this.$emit(this.acme.$auth)" }),
        configured_props: { acme: { authProvisionId: done.body.data.account_id } },
      });
      await world.alice.data("POST", `/sources/${telling.id}/run`, {});
      const [event] = await world.alice.data<{ event: { oauth_access_token: string } }[]>(
        "GET",
        `/sources/${telling.id}/event_summaries?expand=event`,
      );
      const token = event?.event.oauth_access_token ?? "";
      world.service.clock.jump(61_000);
      const before = world.server.granted.length;
      await withServer(
        (_, response) => json(response, 401, {}),
        async (url) => {
          const sending = await world.bob.data<{ id: string }>("POST", "/sources", {
            component_code: component({
              name: "Sending",
              run: `await fetch("${url}", { headers: { authorization: "Bearer ${token}" } })`,
            }),
          });
          await world.bob.data("POST", `/sources/${sending.id}/run`, {});
        },
      );
      // Bob's component cannot make the service renew, or send, what is Alice's.
      expect(world.server.granted.length).toBe(before);
    },
  ],
];

export const connectionAttacks: readonly ConnectionAttack[] = rows.map(([id, attack]) => ({
  id: `connection-${id}`,
  class: "connections",
  promise: "accounts-bound",
  attack,
}));

/** The client of a user at the server of the world. */
export const clientAt = (issuer: string): object => ({
  oauth: { client_id: clientId, client_secret: clientSecret, issuer, scopes: ["openid", "read"] },
});
