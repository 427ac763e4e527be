import { writeFile } from "node:fs/promises";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder, runX, spawnX } from "../spawned.cases.ts";
import { type Moment, startKillProxy } from "./kill-proxy.cases.ts";

const source = (name: string, text: string): string => `import app from "./acme.app.mjs";
import { text } from "./lib/${text}.mjs";
export default { name: "${name}", version: "1",
  props: { app, url: { type: "string" }, token: { type: "string", secret: true, optional: true }, http: "$.interface.http" },
  hooks: { activate() { console.log("activate"); } },
  run() { this.$emit({ text, url: this.url, key: this.app.$auth.key, token: this.token ?? null }); } };`;
const files = {
  "acme.app.mjs": 'export default { type: "app", app: "acme" };',
  "lib/one.mjs": 'export const text = "one";',
  "lib/two.mjs": 'export const text = "two";',
  "orders.mjs": source("Orders", "one"),
  "bills.mjs": source("Bills", "two"),
};

interface Shop {
  readonly key?: string;
  readonly url?: string;
  readonly token?: string;
  readonly bills?: boolean;
  readonly hook?: string;
  readonly paused?: boolean;
}
/** The config, as the text of a module. */
const config = ({
  key = "k1",
  url = "u1",
  token = "t1",
  bills = true,
  hook = "/one",
  paused = false,
}: Shop): string => {
  const uses = { accounts: { acme: "work" } };
  const orders = { file: "./orders.mjs", props: { url, token }, active: !paused, ...uses };
  return `export default ${JSON.stringify({
    project: "shop",
    accounts: { work: { app: "acme", auth: { key } } },
    sources: { orders, ...(bills && { bills: { file: "./bills.mjs", props: { url: "b" }, ...uses } }) },
    webhooks: { archive: { url: `http://127.0.0.1:9${hook}`, format: "envelope" } },
    subscriptions: [
      { from: "orders", to: "archive" },
      ...(bills ? [{ from: "bills", to: "orders", stream: "$errors" }] : []),
    ],
  })};`;
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
beforeAll(async () => {
  folder = await makeFolder(files);
});
afterAll(() => folder[Symbol.asyncDispose]());
beforeEach(async () => {
  const data = await makeFolder();
  service = await startServiceHere(data.path, { apiKey: "k" });
  return async () => {
    await service[Symbol.asyncDispose]();
    await data[Symbol.asyncDispose]();
  };
});

const write = (text: string): Promise<void> => writeFile(`${folder.path}/x.config.mjs`, text);
const origin = (): string => service.baseUrl.replace(/\/v1$/, "");
const flags = (to = origin()): string[] => ["--to", to, "--api-key", "k"];
const x = (command: string, ...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere([command, ...flags(), ...args], { cwd: folder.path });
async function apply(text: string): Promise<string> {
  await write(text);
  const { code, out, err } = await x("apply");
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

/** Everything that the service has, by names. */
async function everything(): Promise<object> {
  const { runtime } = service;
  const page = { limit: 100 };
  const [sources, webhooks, accounts] = [
    (await runtime.sources(page)).items,
    (await runtime.webhooks(page)).items,
    (await runtime.accounts(page)).items,
  ];
  const names = new Map<string, string>([
    ...sources.map((view): [string, string] => [view.source.id, view.source.nameSlug]),
    ...webhooks.map((webhook): [string, string] => [webhook.id, webhook.name ?? ""]),
  ]);
  for (const { source: each } of sources) await runtime.invoke(each.id, { force: true });
  const emitted = new Map<string, unknown>();
  for (const { source: each } of sources) {
    const { items } = await runtime.storedEvents(each.id, "emits", { limit: 1 });
    emitted.set(each.nameSlug, JSON.parse(items[0]?.payload ?? "null"));
  }
  return {
    sources: sources.map((view) => [view.source.nameSlug, view.source.active]).toSorted(byName),
    emitted: Object.fromEntries(emitted),
    webhooks: webhooks.map(({ name, url, format }) => [name, url, format]),
    accounts: accounts.map(({ name, app }) => [name, app]),
    subscriptions: (await runtime.subscriptions())
      .map((each) => `${names.get(each.emitterId)} ${names.get(each.listenerId)} ${each.eventName}`)
      .toSorted(),
  };
}

test("x apply makes what the config says; the same config again changes nothing", async () => {
  const first = await apply(config({}));
  expect(first).toContain(`shop at ${origin()}:\n  + account work\n  + webhook archive\n  + source orders\n`);
  expect(first).toContain("6 to create, 0 to update, 0 to remove.");
  expect(first).toMatch(/^done: \+ webhook archive {2}signing key whsec_\S+ \(shown once\)$/m);
  const made = await everything();
  expect(made).toMatchObject({
    sources: [
      ["bills", true],
      ["orders", true],
    ],
    emitted: { orders: { text: "one", url: "u1", key: "k1", token: "t1" } },
    webhooks: [["archive", "http://127.0.0.1:9/one", "envelope"]],
    subscriptions: ["bills orders $errors", "orders archive "],
  });
  const before = [await service.runtime.project("shop"), await service.runtime.sources({ limit: 10 })];
  expect(await apply(config({}))).toBe(`Nothing to do: ${origin()} has what shop wants.\n`);
  expect(await everything()).toEqual(made);
  expect([await service.runtime.project("shop"), await service.runtime.sources({ limit: 10 })]).toEqual(before);
});

test("x diff shows what would change without changing it, secrets excepted; x apply changes it in place", async () => {
  await apply(config({}));
  const before = await service.runtime.sources({ limit: 10 });
  const changed = config({ key: "k2", url: "u2", token: "t2", hook: "/two", bills: false, paused: true });
  await write(changed);
  const { code, out } = await x("diff", "--check");
  expect([code, out]).toEqual([
    1,
    [
      `shop at ${origin()}:`,
      "  ~ account work: credentials",
      '  ~ webhook archive: url "http://127.0.0.1:9/one" -> "http://127.0.0.1:9/two"',
      '  ~ source orders: active true -> false, props.url "u1" -> "u2", props.token',
      "  - subscription bills -> orders $errors",
      "  - source bills",
      "0 to create, 3 to update, 2 to remove.",
      "",
    ].join("\n"),
  ]);
  expect(out).not.toMatch(/t1|t2|k1|k2/);
  expect(await service.runtime.sources({ limit: 10 })).toEqual(before);

  await apply(changed);
  expect(await everything()).toMatchObject({
    sources: [["orders", false]],
    emitted: { orders: { url: "u2", key: "k2", token: "t2" } },
    subscriptions: ["orders archive "],
  });
  const [orders] = (await service.runtime.sources({ limit: 10 })).items;
  expect(before.items.map((view) => view.source.id)).toContain(orders?.source.id);
  expect((await x("diff", "--check")).code).toBe(0);
});

test("x apply updates what was there before, and never removes it", async () => {
  await service.runtime.createWebhook({ url: "http://127.0.0.1:9/other", name: "archive" });
  const account = await service.runtime.createAccount({ app: "acme", name: "work", auth: { key: "old" } });
  await service.runtime.deploy({
    file: `${folder.path}/orders.mjs`,
    name: "orders",
    props: { url: "old", app: { authProvisionId: account.id } },
  });
  const out = await apply(config({ bills: false }));
  expect(out).toContain("~ account work: credentials\n  ~ webhook archive: url");
  expect(out).toMatch(/~ source orders: props\.url "old" -> "u1", props\.token \(none\) -> \(secret\)/);
  await apply('export default { project: "shop" };');
  expect(await everything()).toMatchObject({
    sources: [["orders", true]],
    webhooks: [["archive", "http://127.0.0.1:9/one", "envelope"]],
    accounts: [["work", "acme"]],
    subscriptions: [],
  });
});

test("what cannot be applied is refused with every reason, before anything changes", async () => {
  await apply(config({}));
  await write(
    `export default { project: "other", accounts: { none: { app: "acme" }, work: { app: "acne" } }, sources: { orders: { file: "./orders.mjs", accounts: { acme: "work" }, props: { url: "u" } } }, subscriptions: [{ from: "orders", to: "archiv" }] };`,
  );
  const { code, err } = await x("apply");
  expect(code).toBe(2);
  for (const reason of [
    'account "work" is one of the app acme, not of acne',
    'there is no account "none"',
    'source "orders" belongs to the project shop',
    'no source, webhook or workflow has the id or name "archiv"',
  ])
    expect(err).toContain(reason);
  await write('export default { projct: "a", sources: { "My Orders": { file: 1 } }, subscriptions: [{}] };');
  const malformed = await x("diff");
  expect(malformed.code).toBe(2);
  for (const reason of [
    "projct is unknown; did you mean project?",
    "project is missing",
    "sources.My Orders must be named by a-z, 0-9 and hyphens",
    "sources.My Orders.file must be a text",
    "subscriptions[0].from is missing",
  ])
    expect(malformed.err).toContain(reason);
});

test("a typed config is read by Node, with variables of the env file; JSON has them by name", async () => {
  await using project = await makeFolder({
    "a.ts": 'export default { name: "A", version: "1", props: { who: { type: "string" } }, run() {} };',
    "x.config.ts": `interface Given { readonly project: string; readonly sources: object }
      const config: Given = { project: "typed", sources: { a: { file: "./a.ts", props: { who: process.env.WHO } } } };
      export default config;`,
    "json/x.config.json": '{"project":"typed","sources":{"a":{"file":"../a.ts","root":"..","props":{"who":"${WHO}"}}}}',
    "me.env": "WHO=me\n",
  });
  const options = { cwd: project.path, env: { X_API_KEY: "k", X_URL: origin() } };
  const first = await runX(["apply", "--env-file", "me.env"], options);
  expect([first.code, first.err]).toEqual([0, ""]);
  const [view] = (await service.runtime.sources({ limit: 1 })).items;
  expect(view?.configuredProps).toEqual({ who: "me" });
  const second = await runX(["diff", "--check", "--config", "json/x.config.json", "--env-file", "me.env"], options);
  expect([second.code, second.out]).toEqual([0, `Nothing to do: ${origin()} has what typed wants.\n`]);
});

/** A change of everything: three creates, three updates and two removals. */
const [old, next] = [config({}), config({ key: "k2", url: "u2", hook: "/two", bills: false })];
const moments: readonly Moment[] = ["before", "after"];

test.each([
  ["what is new", undefined, old, 8],
  ["changes and removals", old, next, 6],
])("x apply killed at any request of %s is finished by the next", async (_name, start, wanted, most) => {
  if (start !== undefined) await apply(start);
  const begin = start === undefined ? 'export default { project: "shop" };' : start;
  let requests = 0;
  for (let at = 1; at <= most; at++) {
    for (const moment of moments) {
      await apply(begin);
      await write(wanted);
      const running: { now: () => void } = { now: () => undefined };
      await using proxy = await startKillProxy(origin(), { at, moment, now: () => running.now() });
      await using killed = spawnX(["apply", ...flags(proxy.url)], { cwd: folder.path });
      running.now = () => killed.child.kill("SIGKILL");
      await killed.exit;
      requests = Math.max(requests, proxy.changes());
      expect(killed.child.signalCode, `${moment} request ${at}:\n${killed.out()}${killed.err()}`).toBe("SIGKILL");
      await apply(wanted);
      expect(await apply(wanted), `${moment} request ${at}`).toContain("Nothing to do: ");
      expect(await everything()).toMatchObject(
        wanted === old
          ? {
              sources: [
                ["bills", true],
                ["orders", true],
              ],
              subscriptions: ["bills orders $errors", "orders archive "],
            }
          : {
              sources: [["orders", true]],
              emitted: { orders: { url: "u2", key: "k2" } },
              subscriptions: ["orders archive "],
            },
      );
      const { accounts, webhooks } = (await everything()) as { accounts: object[]; webhooks: object[] };
      expect([accounts.length, webhooks.length]).toEqual([1, 1]);
    }
  }
  expect(requests).toBe(most);
});
