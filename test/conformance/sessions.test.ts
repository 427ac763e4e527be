import { request as send } from "node:http";

import { manualClock } from "@x/runtime";
import type { AppOptions } from "@x/server";
import { expect, test } from "vitest";

import {
  apiKey,
  component,
  type Data,
  endpointPath,
  type ErrorBody,
  type Service,
  startMs,
  startService,
} from "./fixture.ts";
import { addUser } from "./user-client.ts";

interface SessionBody {
  readonly session_key: string;
  readonly expires_at: number;
  readonly user: { readonly id: string; readonly username: string };
  readonly first_user: boolean;
  readonly manual_clock: boolean;
}

const open = (inspector: AppOptions["inspector"] = true): Promise<Service> => startService({}, { app: { inspector } });

const signIn = (service: Service, body: object, headers: Record<string, string> = {}) =>
  service.call<Data<SessionBody> & ErrorBody>("POST", "/sessions", body, { authorization: "", ...headers });

/** Status and headers of a request with any headers, Host included. */
function ask(url: string, headers: Record<string, string>): Promise<{ status: number; headers: NodeJS.Dict<unknown> }> {
  return new Promise((resolve, reject) => {
    send(url, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    })
      .on("error", reject)
      .end();
  });
}

test("an API key signs in; the session key works until it is signed out", async () => {
  await using service = await open();
  const { status, body } = await signIn(service, { api_key: apiKey });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ session_key: expect.stringMatching(/^xs_/), user: { username: "local" } });
  const authorization = `Bearer ${body.data.session_key}`;
  const me = await service.call<Data<{ id: string }>>("GET", "/users/me", undefined, { authorization });
  expect([me.status, me.body.data.id]).toEqual([200, body.data.user.id]);
  expect((await service.call("DELETE", "/sessions", undefined, { authorization })).status).toBe(204);
  expect((await service.call("GET", "/users/me", undefined, { authorization })).status).toBe(401);
  expect((await service.call("GET", "/users/me")).status).toBe(200);
});

test("a session says whether its user is the first one, and whether it may move a manual clock", async () => {
  const clock = manualClock(startMs);
  await using service = await startService({ clock }, { app: { inspector: true, clock } });
  const of = async (key: string): Promise<unknown> => {
    const { data } = (await signIn(service, { api_key: key })).body;
    return [data.first_user, data.manual_clock];
  };
  expect(await of(apiKey)).toEqual([true, true]);
  expect(await of((await addUser(service, { username: "second" })).apiKey)).toEqual([false, false]);
  await using timed = await open();
  const { data } = (await signIn(timed, { api_key: apiKey })).body;
  expect([data.first_user, data.manual_clock]).toEqual([true, false]);
});

test("a session ends with the API key of its user, and signs nobody in", async () => {
  await using service = await open();
  const { body } = await signIn(service, { api_key: apiKey });
  const key = body.data.session_key;
  expect((await signIn(service, { api_key: key })).body.code).toBe("unauthorized");
  await service.runtime.rotateApiKey("local");
  const reply = await service.call("GET", "/users/me", undefined, { authorization: `Bearer ${key}` });
  expect([reply.status, reply.body.code]).toEqual([401, "unauthorized"]);
});

test("wrong keys and tokens are refused, and so is a sign-in without either", async () => {
  await using service = await open();
  const refused = async (given: object): Promise<unknown> => {
    const { status, body } = await signIn(service, given);
    return [status, body.code];
  };
  expect(await refused({ api_key: "wrong" })).toEqual([401, "unauthorized"]);
  expect(await refused({ token: "wrong" })).toEqual([401, "unauthorized"]);
  expect(await refused({})).toEqual([400, "missing_parameter"]);
});

test("the API key of the first user makes tokens that sign in once; no session and no other user does", async () => {
  await using service = await open();
  const make = (authorization?: string) =>
    service.call<Data<{ token: string; expires_at: number }> & ErrorBody>("POST", "/sessions/tokens", undefined, {
      ...(authorization !== undefined && { authorization: `Bearer ${authorization}` }),
    });
  const { status, body } = await make();
  expect([status, Object.keys(body.data)]).toEqual([200, ["token", "expires_at"]]);
  const { token } = body.data;
  const session = await signIn(service, { token });
  expect(session.body.data.user.username).toBe("local");
  expect((await signIn(service, { token })).status).toBe(401);
  expect((await make(session.body.data.session_key)).status).toBe(401);
  const other = await addUser(service, { username: "links" });
  const refused = await other.call("POST", "/sessions/tokens");
  expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
});

test("pages of other sites cannot sign in or use a session", async () => {
  await using service = await open();
  const { host } = new URL(service.url);
  const own = await signIn(service, { api_key: apiKey }, { origin: `http://${host}` });
  expect(own.status).toBe(200);
  const authorization = `Bearer ${own.body.data.session_key}`;
  for (const headers of [{ origin: "http://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
    const { status, body } = await signIn(service, { api_key: apiKey }, headers);
    expect([status, body.code]).toEqual([403, "foreign_request"]);
    const used = await service.call("GET", "/users/me", undefined, { authorization, ...headers });
    expect(used.status).toBe(403);
  }
});

test("the page is served by its own names and addresses alone, and may not be framed", async () => {
  await using service = await open({ hosts: ["hooks.example.com"] });
  const page = `${service.url}/`;
  const { port } = new URL(page);
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "192.168.1.4", "hooks.example.com"];
  for (const host of own) expect((await ask(page, { host })).status, host).toBe(200);
  for (const host of ["evil.example", `localhost.evil.example:${port}`, "a.hooks.example.com"])
    expect((await ask(page, { host })).status, host).toBe(403);
  const { headers } = await ask(page, {});
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cross-origin-opener-policy": "same-origin" });
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

test("what a component answers on the same origin is a page of its own origin", async () => {
  await using service = await open();
  const source = await service.deploy(
    component({
      props: `http: { type: "$.interface.http", customResponse: true }`,
      run: `this.http.respond({ status: 200, headers: { "content-type": "text/html" }, body: "<script>1</script>" })`,
    }),
  );
  const { headers } = await service.hit(source);
  expect(headers.get("content-security-policy")).toMatch(/^sandbox (?!.*allow-same-origin)/);
  const key = endpointPath(source).slice("/in/".length);
  const { port } = new URL(service.url);
  const apart = await ask(`${service.url}/`, { host: `${key}.localhost:${port}` });
  expect([apart.status, apart.headers["content-security-policy"]]).toEqual([200, undefined]);
});

test("without the inspector there is no page and no sign-in", async () => {
  await using service = await open(false);
  expect((await fetch(service.url)).status).toBe(404);
  expect((await signIn(service, { api_key: apiKey })).status).toBe(404);
});
