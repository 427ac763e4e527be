import { join } from "node:path";

import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { SourceView } from "../../runtime/src/api/api.ts";
import { startTestRegistry, type TestRegistry } from "./packages/registry.cases.ts";
import { writeAll } from "./registry/registry.cases.ts";
import { answerText, makeFolder, openTrial, removeFolders, type Trial } from "../../runtime/src/runtime.cases.ts";

/** Apps with sources in many files; packages are named in the files of the app, of the base and of the component. */
const tree = {
  "package.json": `{ "name": "components", "type": "commonjs" }`,
  "acme/package.json": `{ "name": "acme", "type": "module", "dependencies": { "@tools/http": "^1.0.0", "slugs": "1" } }`,
  "acme/acme.app.mjs": `import { axios, ConfigurationError } from "@tools/http";
    export default {
      type: "app", app: "acme",
      propDefinitions: {
        list: { type: "string", label: "List", description: "of the app", optional: true,
          async options({ page, prevContext, folder }) {
            return { options: [{ label: "page " + page + folder, value: "v" + page }], context: { next: Object.keys(prevContext).length } };
          } },
      },
      methods: {
        call(path) { if (path === "bad") throw new ConfigurationError("no such path"); return axios(this, { path }); },
        async *items(count) { for (let n = 0; n < count; n++) yield { n }; },
      },
    };`,
  "acme/common/limits.json": `{ "most": 3 }`,
  "acme/common/constants.ts": `export const enum Step { First = 1 }
    export const PERIOD: number = 900;`,
  "acme/sources/common/base.mjs": `import { createHash } from "node:crypto";
    import acme from "../../acme.app.mjs";
    import shop from "../../../shop/shop.app";
    import limits from "../../common/limits.json";
    import { PERIOD } from "../../common/constants";
    export default {
      props: {
        acme, shop, db: "$.service.db",
        timer: { type: "$.interface.timer", default: { intervalSeconds: PERIOD } },
        http: { type: "$.interface.http", customResponse: true },
        list: { propDefinition: [acme, "list", (given) => ({ folder: given.folder ?? "-" })], label: "Mine" },
      },
      hooks: { async deploy() { for await (const item of this.acme.items(limits.most)) this.one(item); } },
      methods: {
        deploy() { return "a method named like a hook"; },
        one(item) { this.$emit(item, { id: createHash("sha256").update(String(item.n)).digest("hex"), summary: this.deploy(), ts: item.n }); },
      },
    };`,
  "acme/sources/polled/polled.mjs": `import slug from "slugs";
    import base from "../common/base.mjs";
    const { emitted } = require("./note.cjs");
    export default {
      ...base, key: "acme-polled", name: "Polled", version: "0.0.1", type: "source", dedupe: "unique",
      async run(event) {
        if (event.body === "fail") return this.acme.call("bad");
        const seen = this.db.get("seen") ?? 0;
        this.db.set("seen", seen + 1);
        const answer = await this.acme.call("orders");
        [1, 2].forEach((n) => this.one({ n: n + seen, slug: slug("A b"), answer, shop: this.shop.open(), note: emitted }));
        if (event.method) this.http.respond({ status: 202, body: event.bodyRaw + event.query.q });
      },
    };`,
  "acme/sources/polled/note.cjs": `exports.emitted = typeof require + typeof module.exports;`,
  "shop/shop.app.ts": `import slug from "slugs";
    interface Shop { open(): string }
    const methods: Shop = { open: () => slug("Shop X") };
    export default { type: "app", app: "shop", methods };`,
};

let registry: TestRegistry;
let trial: Trial;

beforeAll(async () => {
  registry = await startTestRegistry();
  registry.publish("slugs", "1.2.3", `module.exports = (text) => text.toLowerCase().replace(/ /g, "-");`);
  registry.publish(
    "@tools/http",
    "1.0.0",
    {
      "index.js": `export { axios } from "./axios.js"; export class ConfigurationError extends Error { name = "ConfigurationError"; }`,
      "axios.js": `export const axios = async (step, config) => ({ ...config, ok: true });`,
    },
    { type: "module" },
  );
  trial = await openTrial({
    packages: { registry: registry.url, cache: join(makeFolder(), "cache") },
    accounts: () => ({}),
  });
});
afterAll(async () => {
  await trial.runtime.close();
  await registry.close();
  removeFolders();
});

/** The files as one module; only packages and built-ins stay imports. */
async function oneText(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    loader: { ".cjs": "js" },
  });
  return outputFiles[0]?.text ?? "";
}

/** What can be seen of a source: its component, and what hooks, runs, requests and options of it do. */
async function lifeOf(view: SourceView): Promise<object> {
  const { runtime } = trial;
  const { id } = view.source;
  const { shape, packages } = view.component;
  const runs = [
    await runtime.invoke(id),
    await runtime.invoke(id),
    await runtime.invoke(id, { event: { body: "fail" } }),
  ];
  const answer = await trial.hit(view, { text: "raw \u0000 text", search: "?q=1" });
  await runtime.idle();
  const stored = await trial.stored(id);
  return {
    shape,
    packages: packages?.map(({ name, version }) => ({ name, version })),
    runs: runs.map(({ error, emitted, deduped }) => [error?.name, error?.message, emitted.length, deduped]),
    answer: [answer.status, answerText(answer)],
    events: stored.map(({ payload, summary, ts, dedupeId }) => [payload, summary, ts, dedupeId]),
    seen: await (await runtime.db(id)).get("seen"),
    options: await runtime.configure({ sourceId: id, propName: "list" }),
  };
}

test("a component in a tree of files and the same as one text behave alike", async () => {
  const root = makeFolder();
  writeAll(root, tree);
  const file = join(root, "acme/sources/polled/polled.mjs");
  const account = { authProvisionId: "apn_any" };
  const props = { acme: account, shop: account };
  const inFiles = await lifeOf(await trial.runtime.deploy({ file, root, props, emitOnDeploy: true }));
  const code = await oneText(file);
  expect(code).not.toMatch(/from "\./);
  const asText = await lifeOf(await trial.runtime.deploy({ code, props, emitOnDeploy: true }));
  expect(asText).toEqual(inFiles);
  // What is alike is also what it should be.
  expect(inFiles).toMatchObject({
    packages: [
      { name: "@tools/http", version: "1.0.0" },
      { name: "slugs", version: "1.2.3" },
    ],
    answer: [202, "raw \u0000 text1"],
    seen: 3,
  });
});
