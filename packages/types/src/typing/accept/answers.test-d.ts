/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";

import { same } from "../same.cases.ts";

interface Channel {
  id: string;
  number: number;
  name?: string;
  alias: string | null;
}
declare const channels: Channel[];
declare const records: Record<string, unknown>[];
declare const parsed: unknown;
declare const untyped: any;

// # options answer with values of their type, at once or later
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: { type: "string", options: () => channels.map(({ id }) => id) },
    texts: { type: "string[]", options: async () => channels.map(({ id }) => id) },
    count: { type: "integer", options: ({ page }) => [page, page + 1] },
    counts: {
      type: "integer[]",
      async options({ page }) {
        return channels.map(({ number }) => number + page);
      },
    },
    flag: { type: "boolean", options: () => [true, { label: "No", value: false }] },
    thing: { type: "any", options: async () => ["a", 1, { label: "An object", value: { a: 1 } }] },
  },
  run() {
    same<typeof this.text, string>();
    same<typeof this.counts, number[]>();
  },
});

// # options answer with labels that may be missing, numbers or null
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: () => channels.map(({ id, name }) => ({ label: name, value: id })) },
    b: { type: "string", options: () => channels.map(({ id, alias }) => ({ label: alias, value: id })) },
    c: { type: "string", options: () => channels.map(({ id, number }) => ({ label: number, value: id })) },
    d: { type: "string", options: () => channels.map(({ name, alias }) => ({ label: alias, value: name ?? alias })) },
    e: { type: "string", options: () => channels.map(({ id }) => ({ value: id })) },
  },
  run() {},
});

// # options answer with a page, or with a list where there is one page
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: () => ({ options: ["a"], context: { nextPageToken: "b" } }) },
    b: {
      type: "integer",
      async options({ page, prevContext }) {
        if (page > 9) return [];
        return { options: [{ label: "One", value: 1 }], context: { after: Number(prevContext.after ?? 0) + 1 } };
      },
    },
    c: {
      type: "string",
      async options({ page }): Promise<{ options: { label: string; value: string }[]; context?: { page: number } }> {
        return { options: [], context: { page } };
      },
    },
  },
  run() {},
});

// # options whose answer nobody typed
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: async () => parsed },
    b: { type: "string", options: async () => records.map(({ id }) => id) },
    c: { type: "string", options: async () => records.map(({ id, name }) => ({ label: name, value: id })) },
    d: { type: "string", options: async () => records.map(({ id, name }) => ({ label: name, value: String(id) })) },
    e: {
      type: "integer",
      options: async () => untyped.items.map((item: any) => ({ label: item.name, value: item.id })),
    },
    f: { type: "string", options: async () => ({ options: parsed, context: {} }) },
    g: { type: "string", options: untyped },
    h: { type: "string", options: untyped as Function },
    i: { type: "string", options: records.map(({ id }) => id) },
  },
  run() {},
});

// # options that throw, and options that are empty
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: {
      type: "string",
      options() {
        throw new Error("Choose a team first");
      },
    },
    b: { type: "string", options: async () => [] },
  },
  run() {},
});

// # options of an app answer like its other prop definitions
const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    channel: {
      type: "string",
      async options({ prevContext }) {
        const { items, cursor } = await this.channels(prevContext.cursor);
        return { options: items.map(({ id, name }: Channel) => ({ label: name, value: id })), context: { cursor } };
      },
    },
    numbers: { type: "integer[]", options: async () => channels.map(({ number }) => number) },
  },
  methods: {
    async channels(cursor?: string) {
      return { items: channels, cursor };
    },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    channel: { propDefinition: [acme, "channel"] },
    numbers: { propDefinition: [acme, "numbers"], options: () => [{ label: "One", value: 1 }] },
    number: { propDefinition: [acme, "numbers"], type: "integer" },
  },
  run() {
    same<typeof this.channel, string>();
    same<typeof this.number, number>();
  },
});

// # choices that are labelled with numbers or without a value
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    year: { type: "integer", options: [{ label: 2030, value: 30 }] },
    flag: { type: "boolean", options: [{ label: "Yes", value: true }, false] },
    none: { type: "string", options: [{ label: "None", value: null }, "a"] },
  },
  run() {
    same<typeof this.year, 30>();
    same<typeof this.flag, boolean>();
    same<typeof this.none, string>();
  },
});
