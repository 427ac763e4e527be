import { writeFile } from "node:fs/promises";

import { afterAll, beforeAll, beforeEach, expect } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

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

interface Wanted {
  readonly key?: string;
  readonly url?: string;
  readonly token?: string;
  readonly bills?: boolean;
  readonly hook?: string;
  readonly paused?: boolean;
}

/** The config, as the text of a module. */
export const config = ({
  key = "k1",
  url = "u1",
  token = "t1",
  bills = true,
  hook = "/one",
  paused = false,
}: Wanted): string => {
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

type Folder = Awaited<ReturnType<typeof makeFolder>>;
type Service = Awaited<ReturnType<typeof startServiceHere>>;

/** What a service has, by names. */
interface Everything {
  readonly sources: readonly unknown[];
  readonly emitted: Record<string, unknown>;
  readonly webhooks: readonly unknown[];
  readonly accounts: readonly unknown[];
  readonly subscriptions: readonly string[];
}

/** A folder with a project, and a service of its own for each test. */
export interface Shop {
  readonly folder: () => Folder;
  readonly service: () => Service;
  readonly origin: () => string;
  readonly flags: (to?: string) => string[];
  /** Writes the config. */
  readonly write: (text: string) => Promise<void>;
  /** Runs a command with the service. */
  readonly x: (command: string, ...args: readonly string[]) => ReturnType<typeof runHere>;
  /** Applies a config; resolves with what was printed. */
  readonly apply: (text: string) => Promise<string>;
  /** Everything that the service has, by names. */
  readonly everything: () => Promise<Everything>;
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

async function everythingIn({ runtime }: Service): Promise<Everything> {
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

/** Sets up the project before all tests of a file, and a service before each. */
export function setUpShop(): Shop {
  let folder: Folder;
  let service: Service;
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
  const origin = (): string => service.baseUrl.replace(/\/v1$/, "");
  const flags = (to = origin()): string[] => ["--to", to, "--api-key", "k"];
  const write = (text: string): Promise<void> => writeFile(`${folder.path}/x.config.mjs`, text);
  const x: Shop["x"] = (command, ...args) => runHere([command, ...flags(), ...args], { cwd: folder.path });
  return {
    folder: () => folder,
    service: () => service,
    origin,
    flags,
    write,
    x,
    async apply(text) {
      await write(text);
      const { code, out, err } = await x("apply");
      expect([code, err]).toEqual([0, ""]);
      return out;
    },
    everything: () => everythingIn(service),
  };
}
