import { afterAll, beforeAll, expect, test } from "vitest";

import {
  component,
  type Data,
  type ErrorBody,
  type List,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

interface AccountBody {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

let service: Service;
beforeAll(async () => {
  service = await startService({ network: { mode: "none" } });
});
afterAll(() => service[Symbol.asyncDispose]());

const create = (body: object): Promise<Reply<Data<AccountBody> & ErrorBody>> => service.call("POST", "/accounts", body);
const change = (id: string, body: object): Promise<Reply<Data<AccountBody> & ErrorBody>> =>
  service.call("PUT", `/accounts/${id}`, body);
const remove = (id: string, query = ""): Promise<Reply<ErrorBody & { details: { sources?: object[] } }>> =>
  service.call("DELETE", `/accounts/${id}${query}`);
const list = async (query = ""): Promise<List<AccountBody>> =>
  (await service.call<List<AccountBody>>("GET", `/users/me/accounts${query}`)).body;
const patch = (id: string, body: object): Promise<Reply<Data<SourceBody> & ErrorBody>> =>
  service.call("PATCH", `/sources/${id}`, body);
const connect = async (auth: object, app = "acme"): Promise<string> => (await create({ app, auth })).body.data.id;

const acme = 'acme: { type: "app", app: "acme", methods: { token() { return this.$auth.token ?? null; } } }';
const using = (id: string): object => ({ acme: { authProvisionId: id } });
const tellsToken = component({ name: "Teller", props: acme, run: "this.$emit([this.acme.$auth, this.acme.token()])" });

test("3.12 an account shows its app, name and times, but not its credentials", async () => {
  const secret = "credential-of-work-1";
  const { status, body } = await create({
    app: "work",
    name: "Work",
    auth: { token: secret, nested: { pin: secret } },
  });
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: expect.stringMatching(/^apn_[0-9A-Za-z]{10}$/) as string,
    app: "work",
    name: "Work",
    created_at: Math.floor(service.clock.now() / 1000),
    updated_at: Math.floor(service.clock.now() / 1000),
  });
  const unnamed = await create({ app: "work", auth: { token: secret } });
  expect(unnamed.body.data.name).toBeNull();
  const listed = await list("?app=work");
  expect(listed.data).toEqual([unnamed.body.data, body.data]);
  expect(JSON.stringify([body, listed, await change(body.data.id, { auth: { token: secret } })])).not.toContain(secret);
});

test("3.12 include and exclude select fields of accounts, but not the credentials", async () => {
  const reply = await create({ app: "fields", auth: { token: "x" }, include: "app,auth" });
  expect(reply.body.data).toEqual({ id: expect.stringMatching(/^apn_/) as string, app: "fields" });
  expect((await list("?app=fields&exclude=created_at,updated_at,id")).data).toEqual([{ app: "fields", name: null }]);
});

test("R093 accounts are listed newest first, in pages, of one app or of all", async () => {
  const ids: string[] = [];
  for (const app of ["paged", "paged", "other", "paged"]) ids.push(await connect({}, app));
  const [first = "", second = "", , last = ""] = ids;
  const page = await list("?app=paged&limit=2");
  expect(page.page_info).toMatchObject({ total_count: 3, count: 2 });
  expect(page.data.map(({ id }) => id)).toEqual([last, second]);
  const next = await list(`?app=paged&limit=2&after=${page.page_info.end_cursor}`);
  expect(next.data.map(({ id }) => id)).toEqual([first]);
  expect((await list("?limit=2")).data.map(({ id }) => id)).toEqual([last, ids[2]]);
  expect(await list("?app=nobody")).toEqual({
    page_info: { total_count: 0, count: 0, start_cursor: "", end_cursor: "" },
    data: [],
  });
  expect((await service.call("GET", "/users/me/accounts?after=%21")).status).toBe(400);
});

test("3.12 PUT replaces credentials and name, and keeps omitted fields", async () => {
  const { data } = (await create({ app: "acme", name: "Old", auth: { token: "old-token-1", more: 1 } })).body;
  const source = await service.deploy(tellsToken, using(data.id));
  service.clock.jump(5_000);
  const renamed = await change(data.id, { name: "New" });
  expect([renamed.status, renamed.body.data]).toEqual([
    200,
    { ...data, name: "New", updated_at: Math.floor(service.clock.now() / 1000) },
  ]);
  await service.run(source.id);
  const replaced = await change(data.id, { auth: { token: "new-token-1" } });
  expect(replaced.body.data.name).toBe("New");
  await service.run(source.id);
  expect((await change(data.id, { name: null, auth: {} })).body.data.name).toBeNull();
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([
    [{ token: "old-token-1", more: 1 }, "old-token-1"],
    [{ token: "new-token-1" }, "new-token-1"],
    [{}, null],
  ]);
});

test("3.12 invalid input is refused with the name of the parameter, without quoting credentials", async () => {
  const secret = "credential-in-the-wrong-place";
  const { data } = (await create({ app: "acme", auth: {} })).body;
  const refused: (readonly [Promise<Reply<ErrorBody>>, string, string])[] = [
    [create({ auth: {} }), "missing_parameter", "app"],
    [create({ app: "acme" }), "missing_parameter", "auth"],
    [create({ app: "acme", auth: secret }), "invalid_parameter", "auth"],
    [create({ app: "acme", auth: [secret] }), "invalid_parameter", "auth"],
    [create({ app: "acme", auth: null }), "invalid_parameter", "auth"],
    [create({ app: "acme", auth: { token: secret.repeat(3_000) } }), "invalid_parameter", "auth"],
    [create({ app: "", auth: {} }), "invalid_parameter", "app"],
    [create({ app: "two words", auth: {} }), "invalid_parameter", "app"],
    [create({ app: "a".repeat(129), auth: {} }), "invalid_parameter", "app"],
    [create({ app: 5, auth: {} }), "invalid_parameter", "app"],
    [create({ app: "acme", auth: {}, name: { secret } }), "invalid_parameter", "name"],
    [create({ app: "acme", auth: {}, name: "" }), "invalid_parameter", "name"],
    [create({ app: "acme", auth: {}, token: secret }), "invalid_parameter", "token"],
    [change(data.id, {}), "missing_parameter", "auth"],
    [change(data.id, { auth: secret }), "invalid_parameter", "auth"],
    [change(data.id, { app: "other", auth: {} }), "invalid_parameter", "app"],
    [remove(data.id, "?force=yes"), "invalid_parameter", "force"],
  ];
  for (const [reply, code, parameter] of refused) {
    const { status, body } = await reply;
    expect([status, body.code, body.details]).toMatchObject([400, code, {}]);
    expect(body.error).toContain(`"${parameter}"`);
    expect(JSON.stringify(body)).not.toContain(secret);
  }
  expect((await list("?app=acme&limit=1")).data[0]).toEqual(data);
});

test("S27 an account of another user is 404 in a path, and so is a deleted one", async () => {
  const { id: other } = await service.runtime.addUser({ username: "other" });
  const foreign = await service.runtime.as(other).createAccount({ app: "acme", auth: { token: "foreign" } });
  const gone = await connect({});
  expect((await remove(gone)).status).toBe(204);
  for (const id of [foreign.id, gone, "apn_none"]) {
    const replies = [await change(id, { name: "Mine" }), await remove(id), await remove(id, "?force=true")];
    for (const { status, body } of replies) expect([status, body.code]).toEqual([404, "not_found"]);
  }
  expect((await list("?limit=100")).data.map(({ id }) => id)).not.toContain(foreign.id);
  expect((await service.runtime.as(other).accounts({ limit: 10 }, {})).items).toEqual([foreign]);
});

test("R068 $auth is the stored object in run, hooks, component methods and app methods", async () => {
  const auth = { oauth_access_token: "token-of-stored-account", nested: { list: [1, null, "\u{1F600}"] } };
  const id = await connect(auth);
  const source = await service.deploy(
    component({
      props: 'acme: { type: "app", app: "acme", methods: { own() { return this.$auth; } } }',
      more: "methods: { mine() { return this.acme.$auth; } }, hooks: { deploy() { this.$emit(this.acme.$auth); } },",
      run: "this.$emit([this.acme.$auth, this.mine(), this.acme.own()])",
    }),
    using(id),
  );
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([auth, [auth, auth, auth]]);
});

test("G33 an app prop is shown as given, without credentials", async () => {
  const id = await connect({ token: "not-to-be-shown" });
  const source = await service.deploy(tellsToken, using(id));
  expect(source.configured_props).toEqual(using(id));
  const read = await service.call("GET", `/sources/${source.id}`);
  const sources = await service.call("GET", "/users/me/sources?limit=100");
  expect(JSON.stringify([source, read.body, sources.body])).not.toContain("not-to-be-shown");
});

test("S20 an account may have no credentials", async () => {
  const id = await connect({});
  const source = await service.deploy(tellsToken, using(id));
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([[{}, null]]);
});

test("S14 an account that sources use is deleted only with force", async () => {
  const id = await connect({ token: "t" });
  const sources = [await service.deploy(tellsToken, using(id)), await service.deploy(tellsToken, using(id))];
  const refused = await remove(id);
  expect([refused.status, refused.body.code]).toEqual([409, "account_in_use"]);
  for (const source of sources) expect(refused.body.error).toContain(`${source.id} (${source.name})`);
  expect(refused.body.details.sources).toEqual(
    sources.toReversed().map((source) => ({ id: source.id, name: source.name })),
  );
  expect((await remove(id, "?force=false")).status).toBe(409);
  await service.call("DELETE", `/sources/${sources[0]?.id}`);
  expect((await remove(id)).status).toBe(409);
  const other = await connect({ token: "o" });
  expect((await patch(sources[1]?.id ?? "", { configured_props: using(other) })).status).toBe(200);
  expect((await remove(id)).status).toBe(204);
  expect((await remove(other, "?force=true")).status).toBe(204);
});

test("S14 runs of a source with a deleted account fail with a clear error, until it has another account", async () => {
  const id = await connect({ token: "t" });
  const source = await service.deploy(
    component({
      name: "Left",
      props: `${acme}, http: { type: "$.interface.http", customResponse: true }`,
      run: "this.http.respond({ status: 200 }); this.$emit(1)",
    }),
    using(id),
  );
  expect((await remove(id, "?force=true")).status).toBe(204);
  const execution = await service.run(source.id);
  expect(execution).toMatchObject({
    status: "error",
    emitted: [],
    error: { code: "account_missing", name: "account_missing" },
  });
  expect(execution.error?.message).toContain(`Account "${id}" of prop "acme" does not exist`);
  expect((await service.hit(source)).status).toBe(500);
  expect(await service.emitted(source.id)).toEqual([]);
  expect(await service.events(source.id, "$errors/")).toHaveLength(2);
  // It can still be renamed and paused.
  expect((await patch(source.id, { name: "Paused", active: false })).status).toBe(200);
  const again = await patch(source.id, { active: true, configured_props: using(await connect({ token: "n" })) });
  expect(again.status).toBe(200);
  expect((await service.hit(source)).status).toBe(200);
});

test("S14 a source with hooks and a deleted account can be deleted by ignoring hook errors", async () => {
  const id = await connect({ token: "t" });
  const code = component({ props: acme, more: "hooks: { deactivate() { this.acme.token(); } }," });
  const source = await service.deploy(code, using(id));
  await remove(id, "?force=true");
  const refused = await service.call("DELETE", `/sources/${source.id}`);
  expect([refused.status, refused.body.code]).toEqual([422, "hook_failed"]);
  expect(refused.body.error).toContain(`Account "${id}" of prop "acme" does not exist`);
  expect((await service.call("DELETE", `/sources/${source.id}?ignore_hook_errors=true`)).status).toBe(204);
});

test("S16 stored credentials are masked in logs and errors", async () => {
  const token = "stored-credential-789";
  const id = await connect({ token, nested: [token] });
  const code = component({ props: acme, run: "console.log(this.acme.$auth); throw new Error(this.acme.token())" });
  const source = await service.deploy(code, using(id));
  const execution = await service.run(source.id);
  expect(execution.error?.message).toBe("***");
  const shown = [execution, await service.events(source.id, "$logs/"), await service.events(source.id, "$errors/")];
  expect(JSON.stringify(shown)).not.toContain(token);
  expect(JSON.stringify(shown)).toContain("***");
});

test("S27 an account of another user and a missing one are refused with the same message", async () => {
  const { id: other } = await service.runtime.addUser({ username: "another" });
  const foreign = await service.runtime.as(other).createAccount({ app: "acme", auth: { token: "foreign" } });
  const textFor = async (id: string): Promise<string> => {
    const body = { component_code: tellsToken, configured_props: using(id) };
    const reply = await service.call("POST", "/sources", body);
    expect([reply.status, reply.body.code]).toEqual([400, "invalid_props"]);
    expect(reply.body.details.errors?.map(({ path }) => path)).toEqual(["/configured_props/acme"]);
    return JSON.stringify(reply.body).replaceAll(id, "ID");
  };
  const text = await textFor(foreign.id);
  expect(text).toContain('Prop \\"acme\\" needs an account of app \\"acme\\"');
  expect(await textFor("apn_none")).toBe(text);
  expect(await textFor(other)).toBe(text);
});

test("S27 an account of another app is refused at deploy and at update, and every such prop is named", async () => {
  const own = await connect({ token: "t" });
  const other = await connect({}, "elsewhere");
  const refused = await service.call("POST", "/sources", {
    component_code: component({ props: `${acme}, second: { type: "app", app: "second" }` }),
    configured_props: { ...using(other), second: { authProvisionId: "apn_none" } },
  });
  expect(refused.body.details.errors?.map(({ message }) => message)).toEqual([
    `Prop "acme" needs an account of app "acme"; account "${other}" is of app "elsewhere"`,
    'Prop "second" needs an account of app "second"; there is no account "apn_none" of that app',
  ]);
  const source = await service.deploy(tellsToken, using(own));
  const update = await patch(source.id, { configured_props: using(other) });
  expect([update.status, update.body.code]).toEqual([400, "invalid_props"]);
  const put = await service.call("PUT", `/sources/${source.id}`, {
    component_code: component({ name: "Teller", props: acme.replace('app: "acme"', 'app: "elsewhere"') }),
  });
  expect([put.status, put.body.code]).toEqual([400, "invalid_props"]);
  // Nothing of it was kept.
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([[{ token: "t" }, "t"]]);
});
