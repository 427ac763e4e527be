/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineAction, defineApp, defineComponent, defineMixin } from "@x/types";

interface Channel {
  id: string;
  number: number;
  name?: string;
}
declare const channels: Channel[];

// # options answer with a number
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    base: { type: "string" },
    count: {
      type: "integer",
      // @ts-expect-error -- options: options of a prop of type integer must return a list of values of that type or of { label, value }
      async options() {
        return this.base.length;
      },
    },
  },
  methods: {
    double(): number {
      return this.count * 2;
    },
  },
  run() {
    this.double();
  },
});

// # options answer with one text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options({ page }) {
        return String(page);
      },
    },
  },
  run() {},
});

// # options answer with a misspelt label
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options() {
        return [{ lable: 1 }];
      },
    },
  },
  run() {},
});

// # options answer with objects of an API as they came
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      options: async () => channels,
    },
  },
  run() {},
});

// # options answer with numbers for text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list of values of that type
      options: () => channels.map(({ number }) => number),
    },
  },
  run() {},
});

// # options answer with labelled numbers for text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    texts: {
      type: "string[]",
      // @ts-expect-error -- options: options of a prop of type string[] must return a list of values of that type
      options: ({ page }) => [{ label: "Page", value: page }],
    },
  },
  run() {},
});

// # options answer with a list that may hold undefined
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list of values of that type
      options: () => channels.map(({ name }) => name),
    },
  },
  run() {},
});

// # options answer with nothing
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options() {
        channels.map(({ id }) => id);
      },
    },
  },
  run() {},
});

// # options answer with nothing on some pages
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options({ page }) {
        if (page > 0) return;
        return ["a"];
      },
    },
  },
  run() {},
});

// # a page of options under another name
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: or { options, context }
      async options() {
        return { items: ["a"], context: {} };
      },
    },
  },
  run() {},
});

// # a page of options of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list of values of that type
      async options() {
        return { options: [{ label: "One", value: 1 }], context: { after: 1 } };
      },
    },
  },
  run() {},
});

// # options answer with promises
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      options: () => channels.map(async ({ id }) => id),
    },
  },
  run() {},
});

// # objects without values for a prop of any type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    thing: {
      type: "any",
      // @ts-expect-error -- options: options of a prop of type any must return a list
      options: () => channels.map(({ id }) => ({ id })),
    },
  },
  run() {},
});

// # choices of true and false that are text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    flag: {
      type: "boolean",
      // @ts-expect-error -- options: options of a prop of type boolean must be a list or a method, with values of that type
      options: ["yes", "no"],
    },
  },
  run() {},
});

// # wrong options after methods that read props: one error
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    both(): string {
      return this.text + this.count;
    },
  },
  hooks: {
    async deploy() {
      this.both();
    },
  },
  props: {
    count: {
      type: "integer",
      // @ts-expect-error -- options: options of a prop of type integer must return a list
      async options({ page }) {
        return this.text.length + page;
      },
    },
    text: { type: "string" },
  },
  run() {
    this.both();
  },
});

// # wrong options beside a propDefinition
const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { limit: { type: "integer" } },
  methods: {},
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    limit: {
      propDefinition: [acme, "limit"],
      // @ts-expect-error -- options: options of a prop of type integer must return a list of values of that type
      options: async () => ["a"],
    },
  },
  run() {},
});

// # wrong options of an app
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string", options: async () => ["a"] },
    board: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options({ page }) {
        return this.boards(page) ? page : 0;
      },
    },
  },
  methods: {
    boards(page: number): number {
      return page;
    },
    twice(): number {
      return this.boards(1) + this.boards(2);
    },
  },
});

// # wrong options of a mixin
defineMixin({
  props: {
    team: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      options: async () => 1,
    },
  },
  methods: {
    shout(): string {
      return this.team.toUpperCase();
    },
  },
});

// # wrong options of an action
defineAction({
  type: "action",
  name: "case",
  props: {
    team: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list
      async options({ page }) {
        return [page];
      },
    },
  },
  run() {
    return this.team;
  },
});
