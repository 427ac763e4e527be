import { writeFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { makeFolder, runX } from "../spawned.cases.ts";
import { config, setUpShop } from "./shop.cases.ts";

const { folder, service, origin, write, x, apply, everything } = setUpShop();

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
  const before = [await service().runtime.project("shop"), await service().runtime.sources({ limit: 10 })];
  expect(await apply(config({}))).toBe(`Nothing to do: ${origin()} has what shop wants.\n`);
  expect(await everything()).toEqual(made);
  expect([await service().runtime.project("shop"), await service().runtime.sources({ limit: 10 })]).toEqual(before);
});

test("the name of an account among the values of a source is refused, with what to write instead", async () => {
  const given = JSON.parse(config({ bills: false }).slice("export default ".length, -1)) as {
    sources: { orders: { props: object; accounts?: object } };
  };
  const { accounts: _, ...orders } = given.sources.orders;
  const wrong = { ...orders, props: { ...orders.props, app: "work" } };
  await write(`export default ${JSON.stringify({ ...given, sources: { orders: wrong } })};`);
  const { code, err } = await x("apply");
  expect(code).toBe(2);
  expect(err).toMatch(/^error\[invalid_props\]: create source "orders": /);
  expect(err).toMatch(
    /sources\.orders\.props\.app +Prop "app" must be .*, got "work"; write accounts: \{"app":"work"\} beside props$/m,
  );
});

test("x diff shows what would change without changing it, secrets excepted; x apply changes it in place", async () => {
  await apply(config({}));
  const before = await service().runtime.sources({ limit: 10 });
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
  expect(await service().runtime.sources({ limit: 10 })).toEqual(before);

  await apply(changed);
  expect(await everything()).toMatchObject({
    sources: [["orders", false]],
    emitted: { orders: { url: "u2", key: "k2", token: "t2" } },
    subscriptions: ["orders archive "],
  });
  const [orders] = (await service().runtime.sources({ limit: 10 })).items;
  expect(before.items.map((view) => view.source.id)).toContain(orders?.source.id);
  expect((await x("diff", "--check")).code).toBe(0);
});

const slack = (secret: string | readonly string[], more: object = {}): string =>
  `export default ${JSON.stringify({ project: "shop", apps: { slack: { endpoint: { secret, ...more } } } })};`;

test("x apply makes the endpoint of an app, says its URL, keeps it, and removes it with the config", async () => {
  const { runtime } = service();
  const first = await apply(slack("s-1"));
  const { endpointUrl } = await runtime.appEndpoint("slack");
  expect(first).toContain(`done: + endpoint slack  ${endpointUrl}\n`);
  expect(await apply(slack("s-1"))).toContain("Nothing to do: ");
  await write(slack(["s-2", "s-1"]));
  const { out } = await x("diff");
  expect(out).toContain("  ~ endpoint slack: verification or reader\n");
  expect(out).not.toMatch(/s-[12]/);
  await apply(slack(["s-2", "s-1"]));
  expect(await runtime.appEndpoint("slack")).toMatchObject({ endpointUrl, scheme: "slack", secrets: 2 });
  await writeFile(`${folder().path}/reader.mjs`, "export default { receive() { return { events: [] } } };");
  await apply(slack([], { scheme: "hmac", secret: "s", reader: "./reader.mjs", parameters: { header: "x-sum" } }));
  expect(await runtime.appEndpoint("slack")).toMatchObject({
    endpointUrl,
    reader: "custom",
    scheme: "hmac",
    parameters: { header: "x-sum" },
  });
  expect(await apply('export default { project: "shop" };')).toContain("  - endpoint slack\n");
  await expect(runtime.appEndpoint("slack")).rejects.toThrow(/not found|no endpoint/i);
});

test("an endpoint that was there before is set, and stays when the config no longer has it", async () => {
  const { runtime } = service();
  const { endpointUrl } = await runtime.putAppEndpoint({ app: "slack", secret: "old" });
  expect(await apply(slack("s-1"))).toContain("~ endpoint slack: verification or reader");
  await apply('export default { project: "shop" };');
  expect((await runtime.appEndpoint("slack")).endpointUrl).toBe(endpointUrl);
});

test.for([
  [{ endpoint: {} }, 'create endpoint "slack": '],
  [{}, "apps.slack needs an endpoint"],
  [{ endpoint: { secret: 7 } }, "apps.slack.endpoint.secret must be a text or a list of texts"],
  [{ endpoint: { secert: "s" } }, "apps.slack.endpoint.secert is unknown; did you mean secret?"],
  [{ endpoint: { reader: "./none.mjs", secret: "s" } }, "apps.slack.endpoint.reader: ./none.mjs cannot be read"],
] as const)("apps with %j are refused: %s", async ([app, problem]) => {
  await write(`export default ${JSON.stringify({ project: "shop", apps: { slack: app } })};`);
  const { code, err } = await x("apply");
  expect(code).toBe(2);
  expect(err).toContain(problem);
});

test("x apply updates what was there before, and never removes it", async () => {
  await service().runtime.createWebhook({ url: "http://127.0.0.1:9/other", name: "archive" });
  const account = await service().runtime.createAccount({ app: "acme", name: "work", auth: { key: "old" } });
  await service().runtime.deploy({
    file: `${folder().path}/orders.mjs`,
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
  const [view] = (await service().runtime.sources({ limit: 1 })).items;
  expect(view?.configuredProps).toEqual({ who: "me" });
  const second = await runX(["diff", "--check", "--config", "json/x.config.json", "--env-file", "me.env"], options);
  expect([second.code, second.out]).toEqual([0, `Nothing to do: ${origin()} has what typed wants.\n`]);
});
