/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent } from "@x/types";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    limit: { type: "integer", optional: true, default: 10 },
    names: {
      type: "string[]",
      async options({ page }) {
        return this.names(page);
      },
    },
    state: { type: "string", options: ["open", "closed"], default: "open" },
  },
  methods: {
    names(page: number): string[] {
      return [String(page)];
    },
  },
});
const heir = defineApp({
  type: "app",
  app: "heir",
  propDefinitions: { limit: { propDefinition: [acme, "limit"] }, state: { propDefinition: [acme, "state"] } },
});

// # a default that is none of the choices
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      type: "string",
      options: ["open", "closed"],
      // @ts-expect-error -- default: default of a prop with options must be one of them
      default: "merged",
    },
  },
  run() {},
});

// # a default that is a label
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      type: "string",
      options: [{ label: "Open", value: "open" }, "closed"],
      // @ts-expect-error -- default: default of a prop with options must be one of them
      default: "Open",
    },
  },
  run() {},
});

// # a list as default with one that is none of the choices
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      type: "integer[]",
      options: [1, 2],
      // @ts-expect-error -- default: default of a prop with options must be one of them
      default: [2, 3],
    },
  },
  run() {},
});

// # a default of another type for a list with options of an app
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [acme, "names"],
      // @ts-expect-error -- default: default of a prop of type string[] must be a list of texts
      default: "a",
    },
  },
  run() {},
});

// # the same beside inputs
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [acme, "names", () => ({})],
      // @ts-expect-error -- default: default of a prop of type string[] must be a list of texts
      default: "a",
    },
  },
  run() {},
});

// # a default that is none of the inherited choices
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [acme, "state"],
      // @ts-expect-error -- default: default of a prop with options must be one of them
      default: "merged",
    },
  },
  run() {},
});

// # choices without the inherited default
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [acme, "state"],
      // @ts-expect-error -- options: the inherited default is none of these options: write another default
      options: ["merged"],
    },
  },
  run() {},
});

// # a type that the inherited default does not fit
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [acme, "limit"],
      // @ts-expect-error -- type: the inherited default must be text: write another default
      type: "string",
    },
  },
  run() {},
});

// # a default of another type for a definition that another app inherits
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [heir, "limit"],
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "10",
    },
  },
  run() {},
});

// # a default that is none of the choices that another app inherits
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    some: {
      propDefinition: [heir, "state"],
      // @ts-expect-error -- default: default of a prop with options must be one of them
      default: "merged",
    },
  },
  run() {},
});
