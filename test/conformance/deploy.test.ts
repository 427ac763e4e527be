import { afterAll, beforeAll, expect, test } from "vitest";

import {
  component,
  type ComponentBody,
  type Data,
  type ErrorBody,
  type List,
  type Reply,
  type Service,
  type SourceBody,
  startService,
  startUpstream,
  type Upstream,
} from "./fixture.ts";
import { createHookTrail, type HookTrail } from "./hook-trail.ts";

interface Deployed extends SourceBody {
  readonly change?: string;
  readonly webhook?: { readonly id: string; readonly signing_key?: string };
}
interface Difference {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

let service: Service;
let upstream: Upstream;
let trail: HookTrail;
beforeAll(async () => {
  upstream = await startUpstream();
  trail = createHookTrail(upstream);
  service = await startService({ network: { mode: "allow-private" } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const deploy = (body: object): Promise<Reply<Data<Deployed> & ErrorBody>> =>
  service.call("POST", "/sources", { if_exists: "update", ...body });
const compare = async (id: string, body: object): Promise<readonly Difference[]> =>
  (await service.call<Data<{ changes: Difference[] }>>("POST", `/sources/${id}/compare`, body)).body.data.changes;
const withName = async (slug: string): Promise<readonly SourceBody[]> =>
  (await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=100")).body.data.filter(
    (source) => source.name_slug === slug || source.name_slug.startsWith(`${slug}-`),
  );

const files = (greeting: string): { readonly [name: string]: string } => ({
  "sources/hello.ts": `import { greet } from "../lib/greet.js";
import words from "../lib/words.json";
export default { name: "Hello", version: "1", props: {}, async run(event: { fail?: boolean }) {
  if (event.fail) throw new TypeError(greet(words.who));
  this.$emit({ text: greet(words.who) });
} };`,
  "lib/greet.ts": `export const greet = (who: string): string => \`${greeting} \${who}\`;`,
  "lib/words.json": '{"who":"Ada"}',
  "package.json": '{"name":"greeter","dependencies":{}}',
});

test("several files in TypeScript are one component; errors name the file and line of their author", async () => {
  const sent = { component_files: files("Hello"), component_entry: "sources/hello.ts" };
  const { status, body } = await deploy(sent);
  expect([status, body.data.change, body.data.name_slug]).toEqual([200, "created", "hello"]);
  await service.run(body.data.id, {});
  expect(await service.emitted(body.data.id)).toEqual([{ text: "Hello Ada" }]);
  const failed = await service.run(body.data.id, { fail: true });
  expect(failed.error?.stack).toContain("sources/hello.ts:4:");
  const saved = await service.call<Data<ComponentBody>>("GET", `/components/${body.data.component_id}`);
  expect(saved.body.data.code).toBe(sent.component_files["sources/hello.ts"]);

  const same = await service.call<Data<ComponentBody>>("POST", "/components", sent);
  expect(same.body.data.id).toBe(body.data.component_id);
  const missing = await deploy({
    component_files: { "a.js": 'import "./b.js"; export default {}' },
    component_entry: "a.js",
  });
  expect([missing.status, missing.body.code]).toEqual([422, "bundle_failed"]);
  expect(missing.body.error).toContain('"b.js" is not among the files that were sent');
});

test("with if_exists: update a second deploy changes the source and keeps id, endpoint, db and events", async () => {
  const code = (version: string): string =>
    component({
      name: "Kept",
      props: 'http: "$.interface.http", db: "$.service.db", note: { type: "string", optional: true }',
      run: `this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit({ n: this.db.get("n"), note: this.note, of: "${version}" })`,
    });
  const first = (await deploy({ component_code: code("1"), configured_props: { note: "a" } })).body.data;
  await service.run(first.id);
  const second = (await deploy({ component_code: code("2") })).body.data;
  await service.run(first.id);
  expect([first.change, second.change, second.id]).toEqual(["created", "updated", first.id]);
  expect(second.configured_props).toEqual(first.configured_props);
  expect(await service.emitted(first.id)).toEqual([
    { n: 1, note: "a", of: "1" },
    { n: 2, note: "a", of: "2" },
  ]);
  const third = (await deploy({ component_code: code("2"), name: "kept" })).body.data;
  expect([third.change, third.id, third.component_id]).toEqual(["unchanged", first.id, second.component_id]);
  const removed = (await deploy({ component_code: code("2"), configured_props: { note: null } })).body.data;
  expect([removed.change, Object.keys(removed.configured_props)]).toEqual(["updated", ["http", "db"]]);
  expect(await withName("kept")).toHaveLength(1);

  const added = await service.call<Data<Deployed>>("POST", "/sources", { component_code: code("2") });
  expect([added.body.data.name_slug, added.body.data.change]).toEqual(["kept-2", undefined]);
});

test("a deploy without a difference runs no hook, and one with a difference those of an update", async () => {
  const body = (version: number): object => ({ component_code: trail.component("byname", version), name: "byname" });
  for (const version of [1, 1, 2, 2]) expect((await deploy(body(version))).status).toBe(200);
  expect(trail.of("byname")).toEqual(["1/deploy", "1/activate", "1/deactivate", "2/activate"]);
});

test("deploys of one name at the same time make one source", async () => {
  const code = component({ name: "Crowded" });
  const replies = await Promise.all(Array.from({ length: 8 }, () => deploy({ component_code: code })));
  const changes = replies.map(({ body }) => body.data.change);
  expect(changes.filter((change) => change === "created")).toHaveLength(1);
  expect(changes.filter((change) => change === "unchanged")).toHaveLength(7);
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await withName("crowded")).toHaveLength(1);
});

test("webhook_url of a deploy by name subscribes the webhook once, also for a source that exists", async () => {
  const code = component({ name: "Hooked" });
  const url = `${upstream.url}/hooked`;
  await deploy({ component_code: code });
  const keys: (string | undefined)[] = [];
  for (let n = 0; n < 2; n++)
    keys.push((await deploy({ component_code: code, webhook_url: url })).body.data.webhook?.signing_key);
  expect(keys).toEqual([expect.stringMatching(/^whsec_/), undefined]);
  const [source] = await withName("hooked");
  const subscriptions = await service.call<List<{ emitter_id: string }>>("GET", "/users/me/subscriptions");
  expect(subscriptions.body.data.filter(({ emitter_id: id }) => id === source?.id)).toHaveLength(1);
});

test("accounts are given by app; an app that no prop has is refused", async () => {
  const connect = async (token: string): Promise<string> =>
    (await service.call<Data<{ id: string }>>("POST", "/accounts", { app: "acme", auth: { token } })).body.data.id;
  const code = component({
    name: "Connected",
    props: 'service: { type: "app", app: "acme" }, other: { type: "app", app: "acme", optional: true }',
    run: "this.$emit([this.service.$auth.token, this.other?.$auth?.token ?? null])",
  });
  const [one, two] = [await connect("one"), await connect("two")];
  const { id } = (await deploy({ component_code: code, accounts: { service: one } })).body.data;
  await service.run(id);
  await service.call("PATCH", `/sources/${id}`, { accounts: { acme: two } });
  await service.run(id);
  expect(await service.emitted(id)).toEqual([
    ["one", null],
    ["two", "two"],
  ]);
  const refused = await deploy({ component_code: code, accounts: { acne: one } });
  expect([refused.status, refused.body.code]).toEqual([400, "invalid_props"]);
  expect(refused.body.error).toContain("the apps are acme");
});

interface DeployComparison {
  readonly change: string;
  readonly id: string | null;
  readonly name_slug: string;
  readonly changes: readonly Difference[];
}

test("a comparison by name says what a deploy would do, and does nothing", async () => {
  const code = (version: string): string =>
    component({
      name: "Compared by name",
      props: 'url: { type: "string" }, acme: { type: "app", app: "acme", optional: true }',
      more: `hooks: { activate() { throw new Error("a hook ran"); } },`,
      run: "",
    }).replace("0.0.1", version);
  const compareDeploy = (body: object): Promise<Reply<Data<DeployComparison> & ErrorBody>> =>
    service.call("POST", "/sources/compare", body);
  const given = { component_code: code("1"), configured_props: { url: "http://a" } };
  expect((await compareDeploy(given)).body.data).toEqual({
    change: "created",
    id: null,
    name_slug: "compared-by-name",
    changes: [],
  });
  const before = (await service.call<List<object>>("GET", "/users/me/sources")).body.page_info;
  expect((await compareDeploy({ component_code: code("1") })).body.code).toBe("invalid_props");
  const accounts = { acme: "apn_none" };
  expect((await compareDeploy({ ...given, accounts })).body.code).toBe("invalid_props");

  const other = { ...given, component_code: code("1").replace(/hooks:.*\n/, "") };
  const { id } = (await deploy(other)).body.data;
  const known = { id, name_slug: "compared-by-name" };
  expect((await compareDeploy(other)).body.data).toEqual({ change: "unchanged", ...known, changes: [] });
  const webhook = `${upstream.url}/compared`;
  const changed = { component_code: code("2"), configured_props: { url: "http://b" }, webhook_url: webhook };
  const expected = {
    change: "updated",
    ...known,
    changes: [
      { field: "component", from: "1", to: "2" },
      { field: "props.url", from: "http://a", to: "http://b" },
      { field: "webhook", to: webhook },
    ],
  };
  expect((await compareDeploy(changed)).body.data).toEqual(expected);
  // The same again: the first comparison has changed nothing.
  expect((await compareDeploy({ ...changed, if_exists: "add" })).body.data).toEqual(expected);
  await deploy({ ...other, webhook_url: webhook });
  expect((await compareDeploy({ ...other, webhook_url: webhook })).body.data).toMatchObject({ change: "unchanged" });
  const after = (await service.call<List<object>>("GET", "/users/me/sources")).body.page_info;
  expect(after.total_count).toBe(before.total_count + 1);
});

test("compare says what a change would change, without saving, running or showing a secret", async () => {
  const code = (version: string): string =>
    component({
      name: "Compared",
      props: 'url: { type: "string" }, token: { type: "string", secret: true }',
      run: `this.$emit("${version}")`,
    }).replace("0.0.1", version);
  const configured = { url: "http://a", token: "one" };
  const { id } = (await deploy({ component_code: code("1"), configured_props: configured })).body.data;
  expect(await compare(id, { component_code: code("1"), configured_props: configured, active: true })).toEqual([]);
  const secret = { __secret: true };
  const changed = { url: "http://b", token: "two" };
  expect(
    await compare(id, { component_code: code("2"), configured_props: changed, name: "New", active: false }),
  ).toEqual([
    { field: "component", from: "1", to: "2" },
    { field: "name", from: "compared", to: "New" },
    { field: "active", from: true, to: false },
    { field: "props.url", from: "http://a", to: "http://b" },
    { field: "props.token", from: secret, to: secret },
  ]);
  const read = await service.call<Data<SourceBody>>("GET", `/sources/${id}`);
  expect(read.body.data).toMatchObject({ name: "compared", active: true, configured_props: { url: "http://a" } });
  await service.run(id);
  expect(await service.emitted(id)).toEqual(["1"]);
  const refused = await service.call("POST", `/sources/${id}/compare`, { configured_props: { url: null } });
  expect([refused.status, refused.body.code]).toEqual([400, "invalid_props"]);
});
