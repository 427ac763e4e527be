/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent, defineConfig, type SourceOf } from "@x/types";

// # a source of a config with the props and accounts of its component
const acme = defineApp({ type: "app", app: "acme", propDefinitions: { board: { type: "string" } } });
const orders = defineComponent({
  name: "Orders",
  version: "1.0.0",
  props: {
    acme,
    http: "$.interface.http",
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    board: { propDefinition: [acme, "board"] },
    currency: { type: "string" },
    limit: { type: "integer", optional: true },
    tags: { type: "string[]", default: [] },
  },
  run() {},
});
type Orders = SourceOf<typeof orders>;
defineConfig({
  project: "shop",
  accounts: { work: { app: "acme" } },
  apps: {
    slack: { endpoint: { secret: ["new", "old"] } },
    acme: { endpoint: { scheme: "hmac", secret: "s", reader: "./reader.ts", parameters: { tolerance: 60 } } },
  },
  sources: {
    orders: {
      file: "./orders.ts",
      props: { board: "main", currency: "EUR" },
      accounts: { acme: "work" },
    } satisfies Orders,
    "orders-us": {
      file: "./orders.ts",
      props: {
        board: "main",
        currency: "USD",
        limit: 7,
        tags: ["a"],
        timer: { cron: "0 * * * *" },
        http: { verify: { scheme: "github", secret: "s" } },
      },
      active: false,
    } satisfies Orders,
  },
});

// # a source without required props, and an untyped one
const clock = defineComponent({ name: "Clock", version: "1.0.0", props: { timer: "$.interface.timer" }, run() {} });
defineConfig({
  project: "shop",
  sources: {
    clock: { file: "./clock.ts" } satisfies SourceOf<typeof clock>,
    feed: { key: "feed", props: { any: ["value", 1, null] } } satisfies SourceOf<unknown>,
  },
});

// # a source of a component in plain JavaScript, whose types are wide
const plain = { name: "Plain", version: "1", props: { acme: { type: "app", app: "acme" }, url: { type: "string" } } };
defineConfig({
  project: "shop",
  sources: {
    plain: { file: "./plain.mjs", props: { url: "u" }, accounts: { acme: "work" } } satisfies SourceOf<typeof plain>,
  },
});
