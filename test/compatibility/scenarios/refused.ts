import { type Scenario, tick } from "../scenario.ts";

/** What was refused once, though Node takes it. */
export const onceRefused: readonly Scenario[] = [
  {
    title: "numbers, a folder, and optional props of services that are not here",
    component: "refused/optional-types.mjs",
    packages: [],
    // Node's reference gives what is configured.
    props: { share: 0.25, files: { path: "/tmp" } },
    steps: [tick],
  },
  {
    title: "values that sources share in a data store",
    component: "refused/data-store.mjs",
    packages: [],
    props: { orders: "orders" },
    steps: [tick, tick],
  },
  {
    title: "a source without run emits the ticks of its timer",
    component: "refused/schedule.mjs",
    packages: [],
    steps: [tick, tick],
  },
];
