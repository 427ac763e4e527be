import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import type { Runtime } from "@x/runtime";

import { describeInBrowser } from "./in-browser.ts";
import { type GetStage, expectQuiet, openSignedIn } from "./stage.ts";

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const renew = process.env["X_PICTURES"] === "renew";

const orders = `export default {
  name: "Orders", version: "1.2.0", dedupe: "unique",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  run({ order }) {
    const placed = { order, customer: { id: "c-2", name: "Ada" }, lines: [{ sku: "A-7", count: 2 }], total: (((order * 7) % 13) + 1) * 9.5 };
    this.$emit(placed, { id: "o-" + order, summary: "Order " + order, ...(placed.total > 50 && { name: "large" }) });
  },
};`;

const invoices = `export default {
  name: "Invoices",
  version: "1.0.3",
  dedupe: "unique",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 120 } }, db: "$.service.db" },
  async run({ page, over }) {
    const { items } = await (await fetch("https://shop.test/orders?page=" + page)).json();
    const rates = await (await fetch("https://bank.test/rates")).json();
    this.db.set("page", page);
    const largest = items.find(({ total }) => total > over);
    const total = largest.total * rates.USD;
    this.$emit({ page, buyer: largest.buyer, total }, { id: page, summary: "Invoice " + page });
  },
};`;

const cards = `export default {
  name: "New cards", version: "1.0.0",
  props: {
    board: {
      type: "string", label: "Board", description: "New cards of this board are emitted.",
      options({ page }) {
        const names = ["Roadmap", "Support", "Hiring", "Launch", "Ideas", "Archive"];
        return names.slice(page * 4, page * 4 + 4).map((label, at) => ({ label, value: "b" + (page * 4 + at) }));
      },
    },
    list: { type: "string", label: "List", optional: true },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  run() {},
};`;

const others = [
  "github-releases",
  "warehouse-stock",
  "support-tickets",
  "signups",
  "weather-alerts",
  "exchange-rates",
  "uptime-checks",
  "newsletter-bounces",
  "calendar-changes",
  "feed-of-the-blog",
];

/** A source that emits one event at each tick. */
const ticking = (minutes: number): string => `export default {
  name: "Ticking", version: "1.0.0",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: ${minutes * 60} } } },
  run() { this.$emit({ at: ${minutes} }); },
};`;

/** What the pictures show; resolves with the ids that their pages have. */
async function deployShop(runtime: Runtime): Promise<{ [name: string]: string }> {
  const shop = await runtime.deploy({ code: orders });
  for (let order = 1001; order < 1028; order += 1) await runtime.invoke(shop.source.id, { event: { order } });
  for (const [index, name] of others.entries()) {
    const { source } = await runtime.deploy({ code: ticking(index + 2), name });
    await runtime.invoke(source.id);
    if (name === "weather-alerts") await runtime.update(source.id, { active: false });
  }
  const { source } = await runtime.deploy({ code: cards, props: { board: "b1" } });
  await runtime.invoke(source.id);
  const billing = await runtime.deploy({ code: invoices });
  const bill = (page: number, over: number) => runtime.invoke(billing.source.id, { event: { page, over } });
  for (const [page, over] of [
    [1, 10],
    [2, 20],
    [3, 100],
  ] as const)
    await bill(page, over);
  const { executionId } = await bill(4, 100);
  return { orders: shop.source.id, invoices: billing.source.id, cards: source.id, failed: executionId };
}

interface Picture {
  readonly name: string;
  /** Where the inspector shows it, with names of `deployShop` for ids. */
  readonly path: string;
  readonly height: number;
  readonly colours?: "dark";
  /** Brings it about, and waits for what it shows. */
  ready(page: Page): Promise<unknown>;
}

const pictures: readonly Picture[] = [
  {
    name: "sources",
    path: "/sources",
    height: 680,
    ready: (page) => page.getByRole("link", { name: "orders", exact: true }).waitFor(),
  },
  {
    name: "events",
    path: "/sources/:orders/events",
    height: 680,
    colours: "dark",
    async ready(page) {
      await page.getByRole("button", { name: /^Order 1026/ }).click();
      await page.getByRole("complementary", { name: "Event" }).getByText('"Ada"').waitFor();
    },
  },
  {
    name: "errors",
    path: "/sources/:invoices/errors",
    height: 680,
    ready: (page) => page.getByText("largest.total * rates.USD").first().waitFor(),
  },
  {
    name: "props",
    path: "/sources/:cards/props",
    height: 680,
    async ready(page) {
      await page.getByRole("combobox", { name: /^Board/ }).click();
      await page.getByRole("option", { name: "Launch" }).waitFor();
    },
  },
  {
    name: "run",
    path: "/runs/:failed",
    height: 1000,
    async ready(page) {
      await page.getByText("largest.total * rates.USD").first().waitFor();
      await page.getByText("bank.test").first().waitFor();
    },
  },
];

/** The pictures of the inspector; `npm run site:pictures` renews them. */
function describePictures(get: GetStage): void {
  let ids: { readonly [name: string]: string } = {};
  beforeAll(async () => {
    ids = await deployShop(get().served.runtime);
  });

  test.each(pictures)("the inspector shows what the picture of $name shows", async (picture) => {
    const { name, height, colours = "light", ready } = picture;
    const path = picture.path.replace(/:(\w+)/, (_, id: string) => ids[id] ?? "");
    await using visited = await openSignedIn(get(), path, { width: 1120, height, colours });
    await ready(visited.page);
    const taken = await visited.page.screenshot();
    expect(taken.byteLength).toBeGreaterThan(10_000);
    expectQuiet(visited);
    if (renew) writeFileSync(`${folder}inspector-${name}.png`, taken);
  });
}

describeInBrowser(describePictures);
