/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent } from "@x/types";

const tracker = defineApp({
  type: "app",
  app: "tracker",
  propDefinitions: {
    org: { type: "string" },
    size: { type: "integer" },
    repo: {
      type: "string",
      async options({ org, query }: { org: string; query?: string }) {
        return [org, query ?? ""];
      },
    },
  },
});

// # options that need inputs, without any
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    size: { propDefinition: [tracker, "size"] },
    repo: {
      // @ts-expect-error -- propDefinition: repo needs inputs that fit its options: [app, name, inputs]
      propDefinition: [tracker, "repo"],
    },
  },
  run() {},
});

// # inputs under another name
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    size: { propDefinition: [tracker, "size"] },
    repo: {
      // @ts-expect-error -- propDefinition: repo needs inputs that fit its options: [app, name, inputs]
      propDefinition: [tracker, "repo", ({ org }) => ({ organisation: org })],
    },
  },
  run() {},
});

// # inputs of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    size: { propDefinition: [tracker, "size"] },
    repo: {
      // @ts-expect-error -- propDefinition: repo needs inputs that fit its options: [app, name, inputs]
      propDefinition: [tracker, "repo", ({ size }) => ({ org: size })],
    },
  },
  run() {},
});

// # fixed inputs of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    size: { propDefinition: [tracker, "size"] },
    repo: {
      // @ts-expect-error -- propDefinition: repo needs inputs that fit its options: [app, name, inputs]
      propDefinition: [tracker, "repo", { org: 1 }],
    },
  },
  run() {},
});

// # inputs that are text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    size: { propDefinition: [tracker, "size"] },
    repo: {
      // @ts-expect-error -- propDefinition: org needs inputs that fit its options: [app, name, inputs]
      propDefinition: [tracker, "org", () => "a"],
    },
  },
  run() {},
});
