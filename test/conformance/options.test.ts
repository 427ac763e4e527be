import { createServer, type ServerResponse } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import {
  component,
  type ComponentBody,
  type Data,
  type ErrorBody,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

interface OptionsBody {
  readonly options: readonly { readonly label: string; readonly value: Json }[];
  readonly string_options: readonly string[] | null;
  readonly context: Json;
  readonly observations: readonly { readonly k: string; readonly msg?: string }[];
  readonly errors: readonly {
    readonly code: string;
    readonly name: string;
    readonly message: string;
    readonly stack: string;
  }[];
}

let service: Service;
beforeAll(async () => {
  service = await startService({ network: { mode: "allow-private" } });
});
afterAll(() => service[Symbol.asyncDispose]());

async function save(code: string): Promise<string> {
  const reply = await service.call<Data<ComponentBody>>("POST", "/components", { component_code: code });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data.id;
}

const ask = (body: object): Promise<Reply<OptionsBody & ErrorBody>> =>
  service.call("POST", "/components/configure", body);
async function options(id: string, prop_name: string, more: object = {}): Promise<OptionsBody> {
  const reply = await ask({ id, prop_name, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}
const optionsOf = async (
  prop: string,
  more: object = {},
  parts: Parameters<typeof component>[0] = {},
): Promise<OptionsBody> =>
  options(await save(component({ ...parts, props: `${parts.props ?? ""} p: { type: "string", ${prop} }` })), "p", more);

const acme = `const acme = { type: "app", app: "acme",
  methods: {
    _headers() { return { token: this.$auth.token } },
    boards() { return [this._headers().token + " board"] },
  },
  propDefinitions: {
    board: { type: "string", options() { return this.boards() } },
    list: { type: "string", options({ board, page, prevContext, query }) { return [{ label: "told", value: { board, page, prevContext, query } }] } },
  } };\n`;
const connect = async (token: string): Promise<{ authProvisionId: string }> => {
  const reply = await service.call<Data<{ id: string }>>("POST", "/accounts", { app: "acme", auth: { token } });
  return { authProvisionId: reply.body.data.id };
};

test("3.9 options answer with these five members and no envelope", async () => {
  const id = await save(
    component({
      name: "Invoices",
      props: `board: "string", list: { type: "string", useQuery: true, options({ query }) {
        console.log("asked", query); return { options: [{ label: this.board + " " + query, value: "l_1" }], context: { nextPageToken: "p2" } } } }`,
      more: 'key: "demo-feed",',
    }),
  );
  const asked = { prop_name: "list", configured_props: { board: "b1" }, page: 0, prev_context: null, query: "inv" };
  expect(await options("demo-feed", "list", asked)).toEqual({
    options: [{ label: "b1 inv", value: "l_1" }],
    string_options: null,
    context: { nextPageToken: "p2" },
    observations: [
      {
        k: "console.log",
        ts: expect.any(Number) as number,
        msg: "asked inv",
        data: ["asked", "inv"],
        execution_id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
        context: "options",
      },
    ],
    errors: [],
  });
  expect((await options(id, "list", asked)).options).toEqual([{ label: "b1 inv", value: "l_1" }]);
});

test("R043 options are a list of values, a list of labels with values, or a method", async () => {
  for (const given of [`["a"]`, `[{ label: "a", value: "a" }]`]) {
    for (const form of [`options: ${given}`, `options() { return ${given} }`, `async options() { return ${given} }`])
      expect((await optionsOf(form)).options, form).toEqual([{ label: "a", value: "a" }]);
  }
});

test("R046 options of a prop definition get its inputs, from an object or from a function of earlier values", async () => {
  const received = async (inputs: string): Promise<Json | undefined> => {
    const code = component({
      before: acme,
      props: `acme, chosen: { type: "string", optional: true }, list: { propDefinition: [acme, "list", ${inputs}] }`,
    });
    const answer = await options(await save(code), "list", { configured_props: { chosen: "b7" } });
    return answer.options[0]?.value;
  };
  expect(await received(`{ board: "b1" }`)).toEqual({ board: "b1", page: 0, prevContext: {} });
  expect(await received(`(c) => ({ board: c.chosen })`)).toEqual({ board: "b7", page: 0, prevContext: {} });
});

test("R052 options get a page number from 0 on and the context of the previous page", async () => {
  const id = await save(
    component({
      props: `p: { type: "string", options({ page, prevContext }) {
        return { options: [page + " " + JSON.stringify(prevContext)], context: ["cursor", { nextPageToken: "t" }, null][page] } } }`,
    }),
  );
  const seen: unknown[] = [];
  let prev_context: Json | undefined;
  for (const page of [0, 1, 2]) {
    const answer = await options(id, "p", { ...(page > 0 && { page, prev_context }) });
    seen.push(answer.string_options?.[0]);
    prev_context = answer.context;
  }
  expect(seen).toEqual(["0 {}", '1 "cursor"', '2 {"nextPageToken":"t"}']);
  expect(prev_context).toBeNull();
  for (const page of [-1, 1.5, "0"]) expect((await ask({ id, prop_name: "p", page })).status, String(page)).toBe(400);
});

test("R053 options return values, labels with values, or both with a context", async () => {
  expect(await optionsOf(`options() { return [1, true] }`)).toMatchObject({
    options: [
      { label: "1", value: 1 },
      { label: "true", value: true },
    ],
    context: null,
  });
  expect(await optionsOf(`options() { return { options: ["a"], context: { nextPageToken: "p2" } } }`)).toMatchObject({
    options: [{ label: "a", value: "a" }],
    context: { nextPageToken: "p2" },
  });
});

test("R054 page and prevContext are reserved: inputs with these names do not replace them", async () => {
  const inputs = `() => ({ board: "b1", page: 7, prevContext: "mine" })`;
  const code = component({ before: acme, props: `acme, list: { propDefinition: [acme, "list", ${inputs}] }` });
  const answer = await options(await save(code), "list", { page: 2, prev_context: { at: 1 } });
  expect(answer.options[0]?.value).toEqual({ board: "b1", page: 2, prevContext: { at: 1 } });
});

test("R068 this.$auth is the connected account in app methods that options call", async () => {
  const code = component({ before: acme, props: `acme, board: { propDefinition: [acme, "board"] }` });
  const account = await connect("token-1");
  const answer = await options(await save(code), "board", { configured_props: { acme: account } });
  expect(answer.string_options).toEqual(["token-1 board"]);
});

test("R069 app methods are called as this.<method> in options of the app, as this.<app>.<method> in those of the component", async () => {
  const props = `acme, p: { type: "string", options() { return this.acme.boards() } }, q: { propDefinition: [acme, "board"] }`;
  const id = await save(component({ before: acme, props }));
  const configured_props = { acme: await connect("token-2") };
  for (const name of ["p", "q"])
    expect((await options(id, name, { configured_props })).string_options).toEqual(["token-2 board"]);
});

test("G22 an exception in a component is data of an answer 200, with the author's line", async () => {
  const answer = await optionsOf(`options() {\n  throw new TypeError("no " + this.p) }`);
  expect(answer).toMatchObject({ options: [], string_options: null, context: null });
  expect(answer.errors).toMatchObject([{ code: "component_threw", name: "TypeError", message: "no undefined" }]);
  expect(answer.errors[0]?.stack).toMatch(/component\.\w+:6:\d+/);
  const bad = await optionsOf(`options() { return "a" }`);
  expect(bad.errors).toMatchObject([
    { code: "invalid_result", message: expect.stringContaining("got a string") as string },
  ]);
  await using hasty = await startService({ limits: { optionsTimeoutMs: 200 } });
  const component_code = component({ props: `p: { type: "string", options() { for (;;); } }` });
  const { body } = await hasty.call<Data<ComponentBody>>("POST", "/components", { component_code });
  const configure = { id: body.data.id, prop_name: "p" };
  const endless = await hasty.call<OptionsBody>("POST", "/components/configure", configure);
  expect(endless.body.errors).toMatchObject([{ code: "sandbox_timeout" }]);
});

test("G24 options get the query", async () => {
  expect(
    (await optionsOf(`useQuery: true, options({ query }) { return [query + "!"] }`, { query: "inv" })).string_options,
  ).toEqual(["inv!"]);
});

test("S5 a plain value is its own label, and a list of texts is also a list of options", async () => {
  expect(await optionsOf(`options: ["a", "b"]`)).toMatchObject({
    options: [
      { label: "a", value: "a" },
      { label: "b", value: "b" },
    ],
    string_options: ["a", "b"],
  });
  expect(await optionsOf(`options: ["a", 5]`)).toMatchObject({
    options: [
      { label: "a", value: "a" },
      { label: "5", value: 5 },
    ],
    string_options: null,
  });
});

test("S16 secrets and credentials are masked in observations and errors", async () => {
  const parts = { before: acme, props: `acme, key: { type: "string", secret: true },` };
  const body = `options() { console.log(this.key, this.acme.$auth.token); throw new Error(this.key + this.acme.$auth.token) }`;
  const configured_props = { key: "secret-key", acme: await connect("secret-token") };
  const answer = await optionsOf(body, { configured_props }, parts);
  expect(answer.observations.map(({ msg }) => msg)).toEqual(["*** ***"]);
  expect(answer.errors[0]?.message).toBe("******");
  expect(JSON.stringify(answer)).not.toContain("secret-");
});

test("S21 a component is named by its id or its key, and those of other users are not found", async () => {
  const id = await save(component({ props: `p: { type: "string", options: ["a"] }`, more: 'key: "by-key",' }));
  for (const name of [id, "by-key"]) {
    expect((await options(name, "p")).string_options).toEqual(["a"]);
    const { body } = await service.call<{ dynamic_props: { configurable_props: Json[] } }>(
      "POST",
      "/components/props",
      { id: name },
    );
    expect(body.dynamic_props.configurable_props).toHaveLength(1);
  }
  const other = await service.runtime.addUser({ username: "options-other" });
  const foreign = await service.runtime.as(other.id).saveComponent({ code: component({ name: "Foreign" }) });
  for (const path of ["/components/configure", "/components/props"]) {
    for (const given of [foreign.id, "no-such-key"]) {
      const reply = await service.call("POST", path, {
        id: given,
        ...(path.endsWith("configure") && { prop_name: "p" }),
      });
      expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
    }
  }
});

test("S27 an account of another user is refused by options too", async () => {
  const other = await service.runtime.addUser({ username: "options-account" });
  const account = await service.runtime.as(other.id).createAccount({ app: "acme", auth: { token: "theirs" } });
  const id = await save(component({ before: acme, props: `acme, board: { propDefinition: [acme, "board"] }` }));
  const reply = await ask({ id, prop_name: "board", configured_props: { acme: { authProvisionId: account.id } } });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_props"]);
});

test("3.9 a prop that is unknown, or has no options, is refused by name", async () => {
  const id = await save(component({ props: `list: { type: "string", options: ["a"] }, plain: "string"` }));
  for (const [prop_name, text] of [
    ["lits", 'did you mean "list"?'],
    ["plain", "which has none"],
    ["__proto__", "prop_name"],
  ]) {
    const reply = await ask({ id, prop_name });
    expect([reply.status, reply.body.code]).toEqual([400, "invalid_parameter"]);
    expect(reply.body.error).toContain(text);
    expect(reply.body.details).toMatchObject({ parameter: "prop_name" });
  }
});

test("3.9 configured values may be incomplete, but not invalid", async () => {
  const id = await save(
    component({
      props: `needed: "string", count: { type: "integer", min: 1, optional: true }, p: { type: "string", options() { return [String(this.needed) + this.count] } }`,
    }),
  );
  expect((await options(id, "p")).string_options).toEqual(["undefinedundefined"]);
  expect((await options(id, "p", { configured_props: { count: 2 } })).string_options).toEqual(["undefined2"]);
  for (const configured_props of [{ count: 0 }, { count: "2" }, { cuont: 2 }]) {
    const reply = await ask({ id, prop_name: "p", configured_props });
    expect([reply.status, reply.body.code], JSON.stringify(configured_props)).toEqual([400, "invalid_props"]);
  }
});

test("4.1 options leave no event, no db value, no log and no counted invocation", async () => {
  const code = component({
    props: `db: "$.service.db", p: { type: "string", optional: true, options() { console.log("seen"); const caught = [];
      for (const act of [() => this.$emit(1), () => this.db.set("k", 1)]) try { act() } catch (error) { caught.push(error.message) }
      return [...caught, String(this.db.get("k"))] } }`,
    run: `this.db.set("k", "from run")`,
  });
  const source = await service.deploy(code);
  await service.run(source.id);
  const used = async (): Promise<number> =>
    (await service.call<Data<{ daily_invocations_used: number }>>("GET", "/users/me")).body.data.daily_invocations_used;
  const before = await used();
  const reply = await service.call<OptionsBody>("POST", `/sources/${source.id}/configure`, { prop_name: "p" });
  expect(reply.body.string_options).toEqual([
    "$emit is not available in options",
    "db.set is not available in options: the db can only be read there",
    "from run",
  ]);
  expect(reply.body.observations).toMatchObject([{ msg: "seen" }]);
  expect([await service.events(source.id), await service.events(source.id, "$logs/")]).toEqual([[], []]);
  expect(await used()).toBe(before);
});

test("3.9 options of a source have its configured values, its secrets and its endpoint", async () => {
  const code = component({
    props: `http: "$.interface.http", key: { type: "string", secret: true }, board: "string",
      p: { type: "string", optional: true, options() { return [this.board, this.key.length + "", this.http.endpoint] } }`,
  });
  const source = await service.deploy(code, { key: "secret-key", board: "b1" });
  const asked = async (body: object): Promise<readonly string[] | null | undefined> =>
    (await service.call<OptionsBody>("POST", `/sources/${source.id}/configure`, { prop_name: "p", ...body })).body
      .string_options;
  const endpoint = expect.stringContaining("/in/") as string;
  expect(await asked({})).toEqual(["b1", "10", endpoint]);
  expect(await asked({ configured_props: { board: "b2", key: { __secret: true } } })).toEqual(["b2", "10", endpoint]);
  expect(
    (await service.call<Data<SourceBody>>("GET", `/sources/${source.id}`)).body.data.configured_props["board"],
  ).toBe("b1");
  const none = await service.call("POST", "/sources/dc_none/configure", { prop_name: "p" });
  expect([none.status, none.body.code]).toEqual([404, "not_found"]);
});

test("3.9 options of a component have no endpoint, whatever the name of its HTTP prop", async () => {
  const own = { props: `constructor: "$.interface.http",` };
  const answer = await optionsOf(`optional: true, options() { return ["at:" + this.constructor.endpoint] }`, {}, own);
  expect([answer.string_options, answer.errors]).toEqual([["at:"], []]);
});

test("G40 options of a source and its runs do not wait for each other", async () => {
  const held: ServerResponse[] = [];
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upstream = createServer((_, response) => reached[held.push(response) - 1]?.resolve());
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const address = upstream.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  try {
    const code = component({
      props: `p: { type: "string", optional: true, async options({ page }) { if (page) await fetch("${url}"); return ["answered"] } }`,
      run: `if (event.wait) await fetch("${url}"); this.$emit("ran")`,
    });
    const source = await service.deploy(code);
    const configure = (page: number): Promise<Reply<OptionsBody>> =>
      service.call("POST", `/sources/${source.id}/configure`, { prop_name: "p", page });
    const run = service.run(source.id, { wait: true });
    await reached[0]?.promise;
    expect((await configure(0)).body.string_options).toEqual(["answered"]);
    held[0]?.end();
    expect((await run).status).toBe("ok");

    const waiting = configure(1);
    await reached[1]?.promise;
    expect((await service.run(source.id, {})).status).toBe("ok");
    held[1]?.end();
    expect((await waiting).body.string_options).toEqual(["answered"]);
  } finally {
    upstream.closeAllConnections();
    upstream.close();
  }
});
