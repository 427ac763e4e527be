import { expect, test } from "vitest";

import { connected, listenerText } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { component, type Data, type List, type SourceBody, startService } from "./fixture.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

test("S34 q finds the sources whose name or slug has each word, or whose id begins with it, page by page", async () => {
  await using service = await startService();
  const code = component({ run: "this.$emit(1)" });
  const made: string[] = [];
  for (let n = 0; n < 25; n += 1)
    made.unshift((await service.deploy(code, {}, { name: n % 2 === 0 ? `Orders ${n}` : `Taxes ${n}` })).id);
  const list = async (query: string) =>
    (await service.call<List<SourceBody>>("GET", `/users/me/sources?${query}`)).body;
  const odd = (await list("limit=100")).data.filter(({ name }) => name.startsWith("Taxes")).map(({ id }) => id);
  expect(odd).toHaveLength(12);

  const first = await list("q=tAx&limit=5");
  expect([first.page_info.total_count, first.page_info.count]).toEqual([12, 5]);
  const second = await list(`q=tAx&limit=5&after=${first.page_info.end_cursor}`);
  const third = await list(`q=tAx&limit=5&after=${second.page_info.end_cursor}`);
  expect([second.page_info.total_count, third.page_info.count]).toEqual([12, 2]);
  expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(odd);
  expect((await list(`q=tAx&limit=5&after=${third.page_info.end_cursor}`)).data).toEqual([]);

  // With `before` alone the page ends at the cursor; the cursor need not match.
  const back = await list(`q=tax&limit=5&before=${third.page_info.start_cursor}`);
  expect(back.data.map(({ id }) => id)).toEqual(odd.slice(5, 10));
  const between = await list(`q=tax&after=${first.page_info.end_cursor}&before=${third.page_info.start_cursor}`);
  expect(between.data.map(({ id }) => id)).toEqual(odd.slice(5, 10));

  expect((await list("q=taxes+3")).data.map(({ name }) => name)).toEqual(["Taxes 23", "Taxes 13", "Taxes 3"]);
  expect((await list("q=taxes-11")).data).toHaveLength(1);
  expect((await list(`q=${made[0]?.toLowerCase()}`)).data.map(({ id }) => id)).toEqual([made[0]]);
  expect((await list(`q=${made[0]?.slice(4)}`)).data).toEqual([]);
  expect((await list("q=+")).page_info.total_count).toBe(25);
  expect((await service.call("GET", `/users/me/sources?q=${"x".repeat(201)}`)).status).toBe(400);

  // The cursor of a deleted source stays valid.
  await service.call("DELETE", `/sources/${odd[4]}`);
  const rest = await list(`q=tax&limit=5&after=${first.page_info.end_cursor}`);
  expect(rest.data.map(({ id }) => id)).toEqual(odd.slice(5, 10));
});

test("S34 status selects active, paused and failing sources; their number is that of those that match", async () => {
  await using service = await startService();
  const failing = await service.deploy(component({ run: `throw new Error("planned")` }), {}, { name: "failing" });
  const paused = await service.deploy(component({ run: "this.$emit(1)" }), {}, { name: "paused" });
  const active = await service.deploy(component({ run: "this.$emit(1)" }), {}, { name: "active" });
  await service.call("PATCH", `/sources/${paused.id}`, { active: false });
  await service.run(failing.id);
  await service.run(active.id);
  const found = async (query: string): Promise<readonly unknown[]> => {
    const { body } = await service.call<List<SourceBody>>("GET", `/users/me/sources?${query}`);
    expect(body.page_info.total_count).toBe(body.data.length);
    return body.data.map(({ id }) => id);
  };
  expect(await found("status=active")).toEqual([active.id, failing.id]);
  expect(await found("status=paused")).toEqual([paused.id]);
  expect(await found("status=failing")).toEqual([failing.id]);
  expect(await found("status=failing&q=active")).toEqual([]);
  expect(await found("status=")).toHaveLength(3);
  await service.clock.advance(25 * 3_600_000);
  expect(await found("status=failing")).toEqual([]);
  expect((await service.call("GET", "/users/me/sources?status=broken")).status).toBe(400);
});

test("S34 q looks in what other lists show", async () => {
  await using service = await startService();
  const source = await service.deploy(component({ props: 'db: "$.service.db"', run: 'this.db.set("Last order", 1)' }));
  await service.run(source.id);
  for (const name of ["First shop", "Second shop"]) {
    const url = `https://${name.slice(0, 5).toLowerCase()}.test/hook`;
    const { body } = await service.call<Data<Named>>("POST", "/webhooks", { url, name });
    if (name === "First shop") await service.call("PUT", `/webhooks/${body.data.id}`, { active: false });
    await service.call("POST", "/accounts", { app: "acme", name, auth: {} });
    await service.runtime.workflow({ code: `export default { name: "${name}", steps: [{ name: "one", run() {} }] };` });
  }
  await service.call("PUT", "/apps/first_app", { fields: [{ name: "key" }] });
  await service.call("PUT", "/apps/second_app", { fields: [{ name: "key" }] });
  await service.call("PUT", "/projects/first", { revision: 0, resources: [] });
  await service.call("PUT", "/projects/second", { revision: 0, resources: [] });
  await service.call("PUT", "/data_stores/first/values/k", { value: 1 });
  await service.call("PUT", "/data_stores/second/values/First", { value: 1 });
  const count = async (path: string): Promise<number> => {
    const { status, body } = await service.call<{ readonly data: readonly object[] }>("GET", path);
    expect([path, status]).toEqual([path, 200]);
    return body.data.length;
  };
  expect(await count("/users/me/webhooks?q=SHOP+first.test")).toBe(1);
  expect(await count("/users/me/webhooks?q=shop")).toBe(2);
  expect(await count("/users/me/webhooks?q=shop&status=paused")).toBe(1);
  expect(await count("/users/me/webhooks?status=failing")).toBe(0);
  expect(await count("/users/me/accounts?q=first+acme")).toBe(1);
  expect(await count("/users/me/accounts?q=first&app=other")).toBe(0);
  expect(await count("/users/me/workflows?q=second")).toBe(1);
  expect(await count("/users/me/workflows?q=p_")).toBe(2);
  expect(await count("/users/me/workflows?q=second-shop")).toBe(1);
  expect(await count("/users/me/apps?q=SECOND")).toBe(1);
  expect(await count("/users/me/projects?q=first")).toBe(1);
  expect(await count("/users/me/data_stores?q=first")).toBe(1);
  expect(await count("/data_stores/second/values?q=first")).toBe(1);
  expect(await count("/data_stores/second/values?q=other")).toBe(0);
  expect(await count(`/sources/${source.id}/db?q=last`)).toBe(1);
  expect(await count(`/sources/${source.id}/db?q=nothing`)).toBe(0);
  expect(await count("/users?q=nobody")).toBe(0);
});

test("S34 status selects webhooks by what becomes of their deliveries; ids lists some by their ids", async () => {
  await using service = await startService();
  const source = await service.deploy(component({ run: "this.$emit(1)" }));
  const made: string[] = [];
  for (const name of ["failing", "unused", "paused"]) {
    const { body } = await service.call<Data<Named>>("POST", "/webhooks", { url: `http://127.0.0.1:9/${name}`, name });
    made.push(body.data.id);
  }
  const [failing = "", unused = "", paused = ""] = made;
  await service.call("POST", `/subscriptions?emitter_id=${source.id}&listener_id=${failing}`);
  await service.call("PUT", `/webhooks/${paused}`, { active: false });
  await service.run(source.id);
  await service.runtime.idle();
  const list = async (query: string): Promise<readonly string[]> =>
    (await service.call<List<Named>>("GET", `/users/me/webhooks?${query}`)).body.data.map(({ id }) => id);
  await expect.poll(() => list("status=failing")).toEqual([failing]);
  expect(await list("status=pending")).toEqual([failing]);
  expect(await list("status=dead")).toEqual([]);
  expect(await list("status=paused")).toEqual([paused]);
  expect(await list("status=failing&q=unused")).toEqual([]);
  expect(await list(`ids=${unused},wh_none,${failing}`)).toEqual([unused, failing]);
  expect(await list(`ids=${unused}&q=&status=`)).toEqual([unused]);
});

test("S34 app selects the sources that listen to an app; ids lists accounts by their ids", async () => {
  await using service = await startService();
  const { runtime } = service;
  const account = await connected(runtime, "slack", { team_id: "T0" });
  const code = listenerText("slack", 'eventNames: ["message"]');
  const { source } = await runtime.deploy({ code, name: "listener", props: { app: account } });
  await service.deploy(component({ run: "this.$emit(1)" }));
  const list = async (path: string): Promise<readonly string[]> =>
    (await service.call<List<Named>>("GET", path)).body.data.map(({ id }) => id);
  expect(await list("/users/me/sources?app=slack")).toEqual([source.id]);
  expect(await list("/users/me/sources?app=other")).toEqual([]);
  expect(await list("/users/me/sources?app=slack&status=paused")).toEqual([]);
  const { authProvisionId: id } = account;
  expect(await list(`/users/me/accounts?ids=apn_none,${id}`)).toEqual([id]);
  for (const [path, name, value] of [
    ["sources", "status", "failing"],
    ["sources", "app", "slack"],
    ["webhooks", "status", "dead"],
    ["accounts", "q", "one"],
    ["workflows", "q", "two"],
  ]) {
    const refused = await service.call("GET", `/users/me/${path}?ids=${id}&${name}=${value}`);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter", details: { parameter: name } },
    });
  }
});
