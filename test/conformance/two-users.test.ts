import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { component, type Data, type Reply, type Service, startMs, startService, startUpstream } from "./fixture.ts";
import { type Attempt, type Names, type Row, rows } from "./two-users-rows.ts";
import { addUser, type UserClient } from "./user-client.ts";

let service: Service;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let alice: UserClient;
let bob: UserClient;
let theirs: Names;
let own: Names;
let before: unknown;

/** Ids that do not exist. */
const absent: Names = {
  user: "u_0000000000",
  component: "sc_0000000000",
  key: "no-such-key",
  source: "dc_0000000000",
  webhook: "wh_0000000000",
  delivery: "dlv_000000000000000000000000000",
  dbKey: "absent-value",
  workflow: "p_1111111111",
  account: "apn_0000000000",
  app: "absent-app",
  connection: "con_0000000000",
  state: "a-state-that-nobody-has",
  dynamicProps: "dyp_0000000000",
  execution: "000000000000000000000000000",
  project: "no-such-project",
  dataStore: "no-such-store",
};

/** Without the key, so that each name can be removed from an answer. */
const appOf = (key: string): string => `app-${Buffer.from(key).toString("hex")}`;
const dbKeyOf = (key: string): string => `value-${Buffer.from(key).toString("hex")}`;

const projectOf = (key: string): string => `project-${Buffer.from(key).toString("hex")}`;
const storeOf = (key: string): string => `store-${Buffer.from(key).toString("hex")}`;

const codeOf = (key: string): string =>
  component({
    name: "Twin",
    props: `db: "$.service.db", pick: { type: "string", optional: true, options: ["a"] },
      acme: { type: "app", app: "acme", optional: true }`,
    more: `key: "${key}", dedupe: "unique", additionalProps() { return {} },`,
    run: `this.db.set("${dbKeyOf(key)}", event); console.log("log of ${key}"); this.$emit("event of ${key}", { id: event });
      if (event === 2) throw new Error("error of ${key}")`,
  });

/** One resource of every kind. */
async function furnish(user: UserClient, key: string): Promise<Names> {
  const { id: source, component_id } = await user.data<{ id: string; component_id: string }>("POST", "/sources", {
    component_code: codeOf(key),
  });
  const query = new URLSearchParams({ url: `${upstream.url}/${key}` });
  const { id: webhook } = await user.data<{ id: string }>("POST", `/webhooks?${query.toString()}`);
  await user.data("POST", "/subscriptions", { emitter_id: source, listener_id: webhook });
  await user.data("POST", "/auto_subscriptions", { listener_id: webhook, event_name: "$errors" });
  for (const event of [1, 2]) await user.data("POST", `/sources/${source}/run`, { event });
  await service.runtime.idle();
  const workflow = await service.runtime
    .as(user.id)
    .workflow({ name: key, handler: (_event, { $ }) => $.send.emit(`workflow of ${key}`) });
  await service.runtime.as(user.id).invoke(workflow.id, {});
  const { id: account } = await user.data<{ id: string }>("POST", "/accounts", { app: "acme", auth: { token: key } });
  await user.data("PATCH", `/sources/${source}`, { configured_props: { acme: { authProvisionId: account } } });
  const client = { client_id: key, authorize_url: "https://auth.test/authorize", token_url: "https://auth.test/token" };
  const { app } = await user.data<{ app: string }>("PUT", `/apps/${appOf(key)}`, { oauth: client });
  const begun = await user.data<{ id: string; authorize_url: string }>("POST", "/accounts/connect", { app });
  const props = await user.call<{ dynamic_props: { id: string } }>("POST", "/components/props", { id: component_id });
  const [execution] = await user.data<{ execution_id: string }[]>("GET", `/sources/${source}/executions`);
  const [delivery] = await user.data<{ id: string }[]>("GET", `/webhooks/${webhook}/deliveries`);
  await user.data("PUT", `/projects/${projectOf(key)}`, { revision: 0, resources: [] });
  await user.data("PUT", `/data_stores/${storeOf(key)}/values/${dbKeyOf(key)}`, { value: key });
  return {
    user: user.id,
    component: component_id,
    key,
    source,
    webhook,
    delivery: delivery?.id ?? "",
    dbKey: dbKeyOf(key),
    workflow: workflow.id,
    account,
    app,
    connection: begun.id,
    state: new URL(begun.authorize_url).searchParams.get("state") ?? "",
    dynamicProps: props.body.dynamic_props.id,
    execution: execution?.execution_id ?? "",
    project: projectOf(key),
    dataStore: storeOf(key),
  };
}

/** Everything that a user can read of its resources. */
async function everythingOf(
  user: UserClient,
  { source, webhook, workflow, component: saved, execution, connection, dataStore }: Names,
): Promise<unknown> {
  const paths = [
    "/users/me",
    "/users/me/sources?limit=100",
    "/users/me/webhooks?limit=100",
    "/users/me/subscriptions",
    "/users/me/auto_subscriptions",
    "/users/me/workflows?limit=100",
    "/users/me/accounts?limit=100",
    "/users/me/projects",
    "/users/me/data_stores",
    `/data_stores/${dataStore}/values`,
    "/users/me/apps",
    `/accounts/connect/${connection}`,
    `/components/${saved}`,
    `/sources/${source}`,
    ...["", "/$errors", "/$logs"].map((stream) => `/sources/${source}${stream}/event_summaries?expand=event`),
    ...["", "/$errors", "/$logs"].map((stream) => `/workflows/${workflow}${stream}/event_summaries?expand=event`),
    "/executions?limit=100",
    `/sources/${source}/executions?limit=100`,
    `/workflows/${workflow}/executions?limit=100`,
    `/executions/${execution}`,
    `/sources/${source}/db`,
    `/webhooks/${webhook}`,
    `/webhooks/${webhook}/deliveries`,
  ];
  const shown: [string, unknown][] = [];
  for (const path of paths) shown.push([path, (await user.call("GET", path)).body]);
  return shown;
}

beforeAll(async () => {
  const clock = manualClock(startMs);
  upstream = await startUpstream();
  service = await startService({ clock }, { app: { clock } });
  alice = await addUser(service, { username: "alice" });
  bob = await addUser(service, { username: "bob" });
  // Bob's resources are created before and after Alice's, so that her cursor would select some of them.
  await furnish(bob, "bobs-first");
  theirs = await furnish(alice, "alices");
  own = await furnish(bob, "bobs");
  before = await everythingOf(alice, theirs);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const send = ({ method, path, body }: Attempt): Promise<Reply<unknown>> => bob.call(method, path, body);

/** The answer without the names in the request. */
function withoutNames({ status, body }: Reply<unknown>, names: Names): unknown {
  let text = JSON.stringify([status, body ?? null]);
  for (const [name, value] of Object.entries(names)) text = text.replaceAll(value, `<${name}>`);
  return JSON.parse(text);
}

async function expectUnknown(row: Row): Promise<void> {
  const [foreign, unknown] = [row.attempts(theirs, own), row.attempts(absent, own)];
  expect(foreign.length).toBeGreaterThan(0);
  for (const [index, attempt] of foreign.entries()) {
    const label = `${attempt.method} ${attempt.path} ${JSON.stringify(attempt.body)}`;
    const reply = await send(attempt);
    expect([reply.status, (reply.body as { code?: string } | undefined)?.code], label).toEqual([404, "not_found"]);
    const other = unknown[index];
    if (!other) throw new Error(`${label} has no counterpart`);
    expect(withoutNames(reply, theirs), label).toEqual(withoutNames(await send(other), absent));
  }
}

/** A cursor of another user's list is as unknown as one that never existed. */
async function expectUnknownCursor(attempt: Attempt, other: Attempt): Promise<void> {
  const reply = await send(attempt);
  expect(reply.status).toBe(400);
  expect(withoutNames(reply, theirs)).toEqual(withoutNames(await send(other), absent));
}

/** Only the node that ran an execution knows how long its commit took. */
const withoutCommitMs = (body: unknown): unknown =>
  body && JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === "commit_ms" ? undefined : value)));

async function expectOwnAnswer(attempt: Attempt, other: Attempt): Promise<void> {
  const reply = await send(attempt);
  expect([200, 202, 204], JSON.stringify([attempt, reply.body])).toContain(reply.status);
  for (const name of [
    "user",
    "component",
    "source",
    "webhook",
    "delivery",
    "workflow",
    "account",
    "execution",
  ] as const)
    expect(JSON.stringify(reply.body ?? null), `${attempt.path} shows ${name}`).not.toContain(theirs[name]);
  // Each creation has a new id.
  const counterpart = attempt.method === "GET" ? await send(other) : reply;
  expect(withoutCommitMs(counterpart.body)).toEqual(withoutCommitMs(reply.body));
}

async function expectOwn(row: Row): Promise<void> {
  const [foreign, unknown] = [row.attempts(theirs, own), row.attempts(absent, own)];
  expect(foreign.length).toBeGreaterThan(0);
  for (const [index, attempt] of foreign.entries()) {
    const check = /[?&](?:after|before)=/.test(attempt.path) ? expectUnknownCursor : expectOwnAnswer;
    await check(attempt, unknown[index] ?? attempt);
  }
}

async function expectNoPath(row: Row): Promise<void> {
  const nowhere = await send({ method: "GET", path: "/nowhere" });
  for (const attempt of [...row.attempts(theirs, own), ...row.attempts(absent, own)]) {
    const reply = await send(attempt);
    expect([reply.status, reply.body], attempt.path).toEqual([404, nowhere.body]);
  }
}

describe("another user's things, by every route", () => {
  test("every route has a row in two-users-rows.ts, and every row a route", async () => {
    const response = await fetch(`${service.url}/v1/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, { security?: unknown[] }>> };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method, { security }]) => method !== "servers" && security === undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(30);
    expect({
      withoutRow: operations.filter((operation) => !(operation in rows)),
      withoutRoute: Object.keys(rows).filter((operation) => !operations.includes(operation)),
    }).toEqual({ withoutRow: [], withoutRoute: [] });
  });

  test.each(Object.entries(rows))("3.1 %s", async (operation, row) => {
    const [method] = operation.split(" ");
    for (const attempt of row.attempts(theirs, own)) expect(attempt.method).toBe(method);
    if (row.kind === "foreign") await expectUnknown(row);
    else if (row.kind === "own") await expectOwn(row);
    else await expectNoPath(row);
  });

  test("S27 an account in configured_props is 400 with the same text, whether it belongs to another user or does not exist", async () => {
    const choose = async (account: string): Promise<unknown> => {
      const configured_props = { acme: { authProvisionId: account } };
      const replies = [
        await bob.call("PATCH", `/sources/${own.source}`, { configured_props }),
        await bob.call("POST", "/sources", { component_id: own.component, configured_props }),
      ];
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
        [400, "invalid_props"],
        [400, "invalid_props"],
      ]);
      return replies.map(({ body }) => JSON.parse(JSON.stringify(body).replaceAll(account, "<account>")) as unknown);
    };
    expect(await choose(theirs.account)).toEqual(await choose(absent.account));
  });

  test("3.1 nothing has changed after all these requests", async () => {
    await service.runtime.idle();
    expect(withoutCommitMs(await everythingOf(alice, theirs))).toEqual(withoutCommitMs(before));
  });
});

describe("two users on one service", () => {
  const echo = component({ name: "Echo", run: "if (event === 0) throw new Error('zero'); this.$emit(event)" });
  const deploy = (user: UserClient, code = echo): Promise<{ id: string; name_slug: string; component_id: string }> =>
    user.data("POST", "/sources", { component_code: code });
  const received = async (user: UserClient, id: string): Promise<unknown[]> => {
    await service.runtime.idle();
    const rowsOf = await user.data<{ event: unknown }[]>("GET", `/sources/${id}/event_summaries?expand=event`);
    return rowsOf.map(({ event }) => event);
  };

  test("R034 a key is unique within the account: two users can have it for different components", async () => {
    const keyed = (version: string): string => component({ name: `Keyed ${version}`, more: 'key: "same-key",' });
    const [hers, his] = [
      await alice.data<{ id: string }>("POST", "/components", { component_code: keyed("a") }),
      await bob.data<{ id: string }>("POST", "/components", { component_code: keyed("b") }),
    ];
    expect(await alice.data("GET", "/components/same-key")).toMatchObject({ id: hers.id, name: "Keyed a" });
    expect(await bob.data("GET", "/components/same-key")).toMatchObject({ id: his.id, name: "Keyed b" });
    const source = await bob.data<{ component_id: string }>("POST", "/sources", { key: "same-key" });
    expect(source.component_id).toBe(his.id);
  });

  test("R007 the same code is one component of each user", async () => {
    const save = (user: UserClient): Promise<{ id: string; code_hash: string }> =>
      user.data("POST", "/components", { component_code: echo });
    const [hers, again, his] = [await save(alice), await save(alice), await save(bob)];
    expect([again.id === hers.id, his.id === hers.id, his.code_hash === hers.code_hash]).toEqual([true, false, true]);
  });

  test("R035 a slug is unique within the account only", async () => {
    const named = component({ name: "Same name" });
    const slugs = [await deploy(alice, named), await deploy(bob, named), await deploy(bob, named)];
    expect(slugs.map(({ name_slug }) => name_slug)).toEqual(["same-name", "same-name", "same-name-2"]);
  });

  test("R100 a glob matches only emitters of its user, also for errors", async () => {
    const [hers, his, listener] = [await deploy(alice), await deploy(bob), await deploy(alice)];
    for (const event_name of ["", "$errors", "$logs"]) {
      for (const emitter_id of ["dc_*", "p_*"])
        await alice.data("POST", "/subscriptions", { emitter_id, listener_id: listener.id, event_name });
    }
    for (const event of ["his", 0]) await bob.data("POST", `/sources/${his.id}/run`, { event });
    expect(await received(alice, listener.id)).toEqual([]);
    await alice.data("POST", `/sources/${hers.id}/run`, { event: "hers" });
    expect(await received(alice, listener.id)).toContain("hers");
    expect(await received(bob, his.id)).toEqual(["his"]);
  });

  test("R102 an auto-subscription applies to sources of its user only", async () => {
    const listener = await deploy(alice);
    await alice.data("POST", "/auto_subscriptions", { listener_id: listener.id, event_name: "default" });
    const subscribed = async (user: UserClient, id: string): Promise<boolean> =>
      (await user.data<{ emitter_id: string; listener_id: string }[]>("GET", "/users/me/subscriptions")).some(
        (each) => each.emitter_id === id && each.listener_id === listener.id,
      );
    const [hers, his] = [await deploy(alice), await deploy(bob)];
    expect([await subscribed(alice, hers.id), await subscribed(bob, his.id), await subscribed(alice, his.id)]).toEqual([
      true,
      false,
      false,
    ]);
    await bob.data("POST", `/sources/${his.id}/run`, { event: "unheard" });
    expect(await received(alice, listener.id)).not.toContain("unheard");
  });

  test("R105 the same triple of two users is two subscriptions, and each user deletes its own", async () => {
    const [hers, his] = [await deploy(alice), await deploy(bob)];
    const triple = (listener_id: string) => ({ emitter_id: "dc_*", listener_id, event_name: "shared" });
    const [a, b] = [
      await alice.call<Data<{ id: string }>>("POST", "/subscriptions", triple(hers.id)),
      await bob.call<Data<{ id: string }>>("POST", "/subscriptions", triple(his.id)),
    ];
    expect([a.status, b.status, a.body.data.id === b.body.data.id]).toEqual([200, 200, false]);
    expect((await bob.call("DELETE", "/subscriptions", triple(his.id))).status).toBe(204);
    expect((await bob.call("DELETE", "/subscriptions", triple(hers.id))).status).toBe(404);
    expect((await alice.call("DELETE", "/subscriptions", triple(hers.id))).status).toBe(204);
  });
});
