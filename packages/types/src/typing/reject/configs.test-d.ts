/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent, defineConfig, type SourceOf } from "@x/types";

const acme = defineApp({ type: "app", app: "acme" });
const orders = defineComponent({
  name: "Orders",
  version: "1.0.0",
  props: {
    acme,
    currency: { type: "string" },
    limit: { type: "integer", optional: true },
  },
  run() {},
});
type Orders = SourceOf<typeof orders>;

// # an account among the values of a source
defineConfig({
  project: "shop",
  sources: {
    // @ts-expect-error -- acme: 'acme' does not exist in type
    orders: { file: "./orders.ts", props: { currency: "EUR", acme: "work2" } } satisfies Orders,
  },
});

// # a value of another kind
defineConfig({
  project: "shop",
  sources: {
    // @ts-expect-error -- limit: is not assignable to type 'number
    orders: { file: "./orders.ts", props: { currency: "EUR", limit: "7" } } satisfies Orders,
  },
});

// # a source without a value that it needs
defineConfig({
  project: "shop",
  sources: {
    // @ts-expect-error -- props: Property 'currency' is missing in type
    orders: { file: "./orders.ts", props: { limit: 7 } } satisfies Orders,
  },
});

// # an account of an app that the component does not have
defineConfig({
  project: "shop",
  sources: {
    // @ts-expect-error -- acne: 'acne' does not exist in type
    orders: { file: "./orders.ts", props: { currency: "EUR" }, accounts: { acne: "work" } } satisfies Orders,
  },
});

// # an account that is no name
export const source = {
  file: "./orders.ts",
  props: { currency: "EUR" },
  // @ts-expect-error -- acme: is not assignable to type 'string
  accounts: { acme: { id: "work" } },
} satisfies Orders;
