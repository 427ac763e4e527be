/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent } from "@x/types";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { team: { type: "string" }, board: { type: "string" } },
  methods: {
    async boards(team: string): Promise<string[]> {
      return [team];
    },
  },
});

// # an option method reads a prop that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    base: { type: "string" },
    project: {
      type: "string",
      async options() {
        // @ts-expect-error -- bases: Property 'bases' does not exist
        return [this.bases];
      },
    },
  },
  run() {
    return this.base + this.project;
  },
});

// # an option method uses a prop as another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    count: { type: "integer" },
    project: {
      type: "string",
      async options() {
        // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
        return [this.count.trim()];
      },
    },
  },
  run() {},
});

// # an option method calls a method that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    project: {
      type: "string",
      async options() {
        // @ts-expect-error -- nams: Property 'nams' does not exist
        return this.nams();
      },
    },
  },
  methods: {
    names(): string[] {
      return [];
    },
  },
  run() {
    return this.names().concat(this.project);
  },
});

// # an option method calls a method that the app does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    board: {
      type: "string",
      async options() {
        // @ts-expect-error -- bords: Property 'bords' does not exist
        return this.acme.bords("a");
      },
    },
  },
  run() {},
});

// # an option method uses the page as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    board: {
      type: "string",
      options({ page }) {
        // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
        return [page.trim()];
      },
    },
  },
  run() {},
});

// # inputs from a prop that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    board: {
      propDefinition: [
        acme,
        "board",
        (values) => ({
          // @ts-expect-error -- taem: Property 'taem' does not exist
          team: values.taem,
        }),
      ],
    },
  },
  run() {},
});

// # an app's option method calls a method that the app does not have
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: {
      type: "string",
      async options() {
        // @ts-expect-error -- tems: Property 'tems' does not exist
        return this.tems();
      },
    },
  },
  methods: {
    async teams(): Promise<string[]> {
      return [];
    },
  },
});
