import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { recordLog, keyed, writeAll } from "./registry.cases.ts";
import { makeFolder, openTrial, removeFolders } from "../../../runtime/src/runtime.cases.ts";

afterAll(removeFolders);

/** Laid out as collections of components are: apps, what their components share, one folder for each component. */
const tree = {
  "components/acme/package.json": `{ "name": "acme" }`,
  "components/acme/acme.app.mjs": `export default {
    type: "app", app: "acme",
    propDefinitions: { list: { type: "string", label: "List" } },
    methods: { label(list) { return "acme " + list; } },
  };`,
  "components/acme/common/constants.mjs": `export const PERIOD = 900;`,
  "components/acme/sources/common/base.mjs": `import acme from "../../acme.app.mjs";
    import shop from "../../../shop/shop.app.ts";
    import { PERIOD } from "../../common/constants.mjs";
    export default {
      props: {
        acme, shop, db: "$.service.db",
        timer: { type: "$.interface.timer", default: { intervalSeconds: PERIOD } },
        list: { propDefinition: [acme, "list"] },
      },
      methods: { emitOne(text) { this.$emit({ text, shop: this.shop.open() }); } },
    };`,
  "components/acme/sources/new-order/new-order.mjs": `import base from "../common/base.mjs";
    import sampleEmit from "./test-event.mjs";
    export default { ...base, key: "acme-new-order", name: "New Order", version: "0.0.1", type: "source", sampleEmit,
      run() { this.emitOne(this.acme.label(this.list)); } };`,
  "components/acme/sources/new-order/test-event.mjs": `export default { text: "acme a" };`,
  "components/acme/sources/broken/broken.mjs": `import base from "../common/base.mjs";
    import "./absent.mjs";
    export default { ...base, key: "acme-broken", name: "Broken", version: "0.0.1", type: "source", run() {} };`,
  "components/acme/actions/create-order/create-order.mjs": `import acme from "../../acme.app.mjs";
    export default { key: "acme-create-order", name: "Create Order", version: "0.0.2", type: "action", props: { acme },
      async run({ $ }) { $.export("$summary", "Created"); } };`,
  "components/shop/shop.app.ts": `const open = (): boolean => true;
    export default { type: "app", app: "shop", methods: { open } };`,
  "components/shop/sources/polled/polled.ts": `import shop from "../../shop.app";
    export default { key: "shop-polled", name: "Polled", version: "0.1.0", type: "source", props: { shop }, run() {} };`,
  "platform/README.md": "# Not a component",
};

const expected = [
  "acme/actions/create-order/create-order.mjs acme-create-order",
  "acme/sources/broken/broken.mjs bundle_failed",
  "acme/sources/new-order/new-order.mjs acme-new-order",
  "shop/sources/polled/polled.ts shop-polled",
];

test.each(["components", "."])("S10 a tree of apps, seen from %s, lists each component by its key", async (folder) => {
  const home = makeFolder();
  writeAll(home, tree);
  const trial = await openTrial({ registry: join(home, folder), logger: recordLog() });
  await using runtime = trial.runtime;
  const items = await runtime.registry();
  expect(items.map(({ file, key, problem }) => `${file.replace(/^components\//, "")} ${problem?.code ?? key}`)).toEqual(
    expected,
  );
});

test("S10 a component of a tree is deployed by its key with its base, its app and the app of others", async () => {
  const home = makeFolder();
  writeAll(home, tree);
  const trial = await openTrial({ registry: join(home, "components"), accounts: () => ({}) });
  await using runtime = trial.runtime;
  const { id } = await runtime.registryComponent("acme-new-order");
  const account = { authProvisionId: "apn_any" };
  const { source } = await runtime.deploy({ componentId: id, props: { list: "a", acme: account, shop: account } });
  await runtime.invoke(source.id, {});
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 1 });
  expect(items.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([{ text: "acme a", shop: true }]);
});

test("S10 a requested component is read before the others", async () => {
  const home = makeFolder();
  const many = Array.from({ length: 60 }, (_, each) => [`many/c${each}.mjs`, keyed(`k${each}`)] as const);
  writeAll(home, { ...Object.fromEntries(many), "z/sources/last/last.mjs": keyed("z-last") });
  const logger = recordLog();
  const trial = await openTrial({ registry: home, logger });
  await using runtime = trial.runtime;
  expect((await runtime.registryComponent("z-last")).shape.key).toBe("z-last");
  // Logged when all files have been read.
  expect(logger.lines).toEqual([]);
});

test("files that are not components cause no log lines: sample events, settings, tests and shared code", async () => {
  const home = makeFolder();
  writeAll(home, {
    "acme/sources/feed/feed.mjs": keyed("acme-feed"),
    "acme/sources/feed/test-event.mjs": `export default { id: 1, name: "An order", version: "7", total: 10 };`,
    "acme/sources/feed/sample-order.mjs": `export default { id: 1, name: "An order", total: 10 };`,
    "acme/sources/feed/feed.spec.mjs": `throw new Error("no tests here");`,
    "acme/eslint.config.mjs": `throw new Error("no linter here");`,
    "acme/common/base.mjs": `export default { props: {}, run() {} };`,
    "acme/common/names.mjs": `export const names = [];`,
    "acme/sources/typo/typo.mjs": `export default { key: "acme-typo", name: "Typo", version: "1", Run() {} };`,
  });
  const logger = recordLog();
  const trial = await openTrial({ registry: home, logger });
  await using runtime = trial.runtime;
  const items = await runtime.registry();
  expect(items.map(({ file, key, problem }) => `${file} ${problem?.code ?? key}`)).toEqual([
    "acme/sources/feed/feed.mjs acme-feed",
    "acme/sources/typo/typo.mjs invalid_component",
  ]);
  expect(logger.lines.map(([message, { file }]) => [message, file])).toEqual([
    ["a file of the registry is skipped", "acme/sources/typo/typo.mjs"],
    ["the registry is loaded", undefined],
  ]);
});
