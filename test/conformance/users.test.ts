import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type Service, type SourceBody, startMs, startService } from "./fixture.ts";
import {
  addUser,
  clientOf,
  firstUser,
  type UserClient,
  type UserEntryBody,
  type UserWithKeyBody,
} from "./user-client.ts";

type UserBody = Readonly<Record<string, unknown>>;

const dayMs = 24 * 60 * 60 * 1000;

let service: Service;
let first: UserClient;
beforeAll(async () => {
  service = await startService();
  first = await firstUser(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const echo = component({ name: "Echo", run: "this.$emit(event)" });
const me = (user: UserClient): Promise<UserBody> => user.data("GET", "/users/me");
const deploy = (user: UserClient): Promise<SourceBody> => user.data("POST", "/sources", { component_code: echo });
async function run(user: UserClient, source: SourceBody, times = 1): Promise<void> {
  for (let done = 0; done < times; done += 1) await user.data("POST", `/sources/${source.id}/run`, { event: done });
}

test("R024 a free user has its identity, its key, and quotas and counters as integers", async () => {
  const user = await addUser(service, { username: "free", email: "free@example.test" });
  const whole = expect.toSatisfy(Number.isSafeInteger) as number;
  expect(await me(user)).toEqual({
    id: user.id,
    username: "free",
    email: "free@example.test",
    api_key: user.apiKey,
    daily_compute_time_quota: whole,
    daily_compute_time_used: 0,
    daily_invocations_quota: whole,
    daily_invocations_used: 0,
  });
});

test("R025 a paid user has its billing period in epoch seconds and the invocations in it, and nothing else", async () => {
  const [start, end] = [Date.UTC(2026, 10, 1) / 1000, Date.UTC(2026, 11, 1) / 1000];
  const billing = { billing_period_start_ts: start, billing_period_end_ts: end };
  const user = await addUser(service, { username: "paid", email: "paid@example.test", ...billing });
  expect(await me(user)).toEqual({
    id: user.id,
    username: "paid",
    email: "paid@example.test",
    ...billing,
    billing_period_invocations: 0,
  });
});

test("R025 billing_period_invocations counts the runs in the period, over days, and no run before or after it", async () => {
  await using fresh = await startService();
  const period = {
    billing_period_start_ts: Date.UTC(2026, 10, 21) / 1000,
    billing_period_end_ts: Date.UTC(2026, 10, 23) / 1000,
  };
  const user = await addUser(fresh, { username: "paid", ...period });
  const other = await addUser(fresh, { username: "other", ...period });
  const source = await deploy(user);
  const counts: unknown[] = [];
  for (const times of [1, 2, 3, 4]) {
    await run(user, source, times);
    counts.push((await me(user))["billing_period_invocations"]);
    fresh.clock.jump(dayMs);
  }
  expect(counts).toEqual([0, 2, 5, 5]);
  expect((await me(other))["billing_period_invocations"]).toBe(0);
});

test("R109 GET /users/me is the owner of the key", async () => {
  const users = [first, await addUser(service, { username: "one" }), await addUser(service, { username: "two" })];
  for (const user of users) expect(await me(user)).toMatchObject({ id: user.id, username: user.username });
  expect(new Set(users.map(({ id }) => id)).size).toBe(3);
});

test("R115 a key works for its user until it is rotated, which also ends the streams that it opened", async () => {
  const user = await addUser(service, { username: "rotated" });
  const source = await deploy(user);
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const stream = await fetch(`${service.url}/v1/sources/${source.id}/sse`, { headers });
  expect(stream.status).toBe(200);
  const rotated = await first.data<UserWithKeyBody>("POST", `/users/${user.id}/rotate_key`);
  const old = await user.call("GET", "/users/me");
  expect([old.status, old.body.code, old.headers.get("www-authenticate")]).toEqual([401, "unauthorized", "Bearer"]);
  expect(await stream.text()).toMatch(/^: connected/);
  expect((await fetch(`${service.url}/v1/sources/${source.id}/sse`, { headers })).status).toBe(401);
  expect(await me(clientOf(service, rotated))).toMatchObject({ id: user.id });
  expect((await first.call("GET", "/users/me")).status).toBe(200);
  const again = await first.data<UserWithKeyBody>("POST", "/users/rotated/rotate_key");
  expect((await clientOf(service, rotated).call("GET", "/users/me")).status).toBe(401);
  const sources = await clientOf(service, again).data<SourceBody[]>("GET", "/users/me/sources");
  expect(sources.map(({ id }) => id)).toEqual([source.id]);
});

test("R117 api_key is the user's own, and after a rotation the new one", async () => {
  const user = await addUser(service, { username: "keyed" });
  expect((await me(user))["api_key"]).toBe(user.apiKey);
  const rotated = clientOf(service, await first.data("POST", "/users/keyed/rotate_key"));
  expect(rotated.apiKey).not.toBe(user.apiKey);
  expect((await me(rotated))["api_key"]).toBe(rotated.apiKey);
});

test("R141 each user has its own counters, which start at 0 at 00:00 UTC", async () => {
  await using fresh = await startService();
  const [one, two] = [await addUser(fresh, { username: "one" }), await addUser(fresh, { username: "two" })];
  const source = await deploy(one);
  const used = async (user: UserClient): Promise<unknown> => (await me(user))["daily_invocations_used"];
  await run(one, source, 3);
  expect([await used(one), await used(two), await used(await firstUser(fresh))]).toEqual([3, 0, 0]);
  expect(Number((await me(one))["daily_compute_time_used"])).toBeGreaterThan(0);
  const untilMidnight = dayMs - (startMs % dayMs);
  fresh.clock.jump(untilMidnight - 1);
  expect(await used(one)).toBe(3);
  fresh.clock.jump(1);
  expect(await me(one)).toMatchObject({ daily_invocations_used: 0, daily_compute_time_used: 0 });
  await run(one, source);
  expect(await used(one)).toBe(1);
});

test("R003 the key of a new user is shown once; the list has the user without it", async () => {
  const user = await first.data<UserWithKeyBody>("POST", "/users", { username: "listed" });
  expect(user).toEqual({
    id: expect.stringMatching(/^u_\w+$/) as string,
    username: "listed",
    email: "listed@localhost",
    created_at: Math.floor(service.clock.now() / 1000),
    api_key: expect.stringMatching(/^\w{40}$/) as string,
  });
  const list = await first.data<UserEntryBody[]>("GET", "/users");
  expect(list[0]).toMatchObject({ id: first.id });
  const { api_key: _key, ...entry } = user;
  expect(list.at(-1)).toEqual(entry);
  expect(JSON.stringify(list)).not.toContain("api_key");
  const short = await first.data<object[]>("GET", "/users?include=username");
  expect(Object.keys(short[0] ?? {})).toEqual(["id", "username"]);
});

test("R140 an invalid user is refused with the reason, and no user is added", async () => {
  const before = await first.data<UserEntryBody[]>("GET", "/users");
  const refusals: [object, number, string, string?][] = [
    [{}, 400, "missing_parameter", "username"],
    [{ username: "Upper" }, 400, "invalid_parameter", "username"],
    [{ username: "me" }, 400, "invalid_parameter", "username"],
    [{ username: 5 }, 400, "invalid_parameter", "username"],
    [{ username: "a", mail: "a@b" }, 400, "invalid_parameter", "mail"],
    [{ username: "a", email: "nobody" }, 400, "invalid_parameter", "email"],
    [{ username: "a", billing_period_start_ts: 1 }, 400, "missing_parameter", "billing_period_end_ts"],
    [{ username: "a", billing_period_end_ts: 1 }, 400, "missing_parameter", "billing_period_start_ts"],
    [
      { username: "a", billing_period_start_ts: 2, billing_period_end_ts: 2 },
      400,
      "invalid_parameter",
      "billing_period_end_ts",
    ],
    [
      { username: "a", billing_period_start_ts: 1.5, billing_period_end_ts: 2 },
      400,
      "invalid_parameter",
      "billing_period_start_ts",
    ],
    [{ username: "local" }, 409, "username_taken"],
  ];
  for (const [body, status, code, parameter] of refusals) {
    const reply = await first.call("POST", "/users", body);
    const { details } = reply.body as { details: { parameter?: string } };
    expect([reply.status, reply.body.code, details.parameter], JSON.stringify(body)).toEqual([status, code, parameter]);
  }
  const gone = await first.call("POST", "/users/u_nobody/rotate_key");
  expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
  expect(await first.data("GET", "/users")).toEqual(before);
});

test("R140 concurrent requests for the same name create one user", async () => {
  const replies = await Promise.all(
    [1, 2, 3].map(() => first.call<Data<object>>("POST", "/users", { username: "twin" })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

test("3.1 the paths that manage users exist only for the first user", async () => {
  const user = await addUser(service, { username: "curious" });
  const nowhere = await user.call("GET", "/nowhere");
  const attempts = [
    await user.call("GET", "/users"),
    await user.call("POST", "/users", { username: "evil" }),
    await user.call("POST", "/users", { bad: 1 }),
    await user.call("POST", "/users", "no object"),
    await user.call("POST", `/users/${first.id}/rotate_key`),
    await user.call("POST", `/users/${user.id}/rotate_key`),
    await user.call("POST", "/users/nobody/rotate_key"),
  ];
  for (const { status, body } of attempts) expect([status, body]).toEqual([404, nowhere.body]);
  expect((await service.call("GET", "/users", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await first.call("GET", "/users/me")).status).toBe(200);
  expect(JSON.stringify(await first.data("GET", "/users"))).not.toContain("evil");
});
