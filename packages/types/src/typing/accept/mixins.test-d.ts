/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent, defineMixin } from "@x/types";
import type { Database } from "@x/types";

import { same } from "../same.cases.ts";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { team: { type: "string" } },
  methods: {
    async list(team: string): Promise<{ id: string; at: number }[]> {
      return [{ id: team, at: 0 }];
    },
  },
});

const polling = defineMixin({
  dedupe: "unique",
  props: {
    acme,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    team: { propDefinition: [acme, "team"] },
  },
  methods: {
    last(): number {
      return this.db.get<number>("last") ?? 0;
    },
    title(item: { id: string }): string {
      throw new Error(`title of ${item.id} is not implemented`);
    },
    async process(): Promise<void> {
      for (const item of await this.acme.list(this.team)) {
        if (item.at > this.last()) this.$emit(item, { id: item.id, summary: this.title(item), ts: item.at });
      }
    },
  },
  hooks: {
    async deploy() {
      await this.process();
    },
  },
  async run() {
    await this.process();
  },
});

// # a component that is nothing but a mixin with a name
defineComponent({ ...polling, name: "case", version: "0.0.1" });

// # a mixin's props and methods, with overrides
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  props: { ...polling.props, limit: { type: "integer" } },
  methods: {
    ...polling.methods,
    title(item: { id: string }): string {
      return `${this.team}: ${item.id} of ${this.limit}`;
    },
  },
  async run(event) {
    same<typeof this.db, Database>();
    same<typeof this.team, string>();
    same<typeof this.limit, number>();
    same<typeof event.timestamp, number>();
    await this.process();
  },
});

// # dedupe of a mixin holds for the component
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  run() {
    this.$emit({}, { id: "a" });
  },
});

// # only a mixin's props
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { ...polling.props },
  run() {
    same<typeof this.team, string>();
    return this.acme.list(this.team);
  },
});

// # hooks of a mixin, spread and called
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  hooks: {
    ...polling.hooks,
    async activate() {
      await polling.hooks.deploy.call(this);
    },
  },
});

// # a mixin overrides another
const labelled = defineMixin({
  ...polling,
  props: { ...polling.props, label: { type: "string", optional: true } },
  methods: { ...polling.methods, title: (item: { id: string }) => item.id },
});
defineComponent({
  ...labelled,
  name: "case",
  version: "0.0.1",
  run() {
    same<typeof this.label, string | undefined>();
    same<typeof this.team, string>();
    same<ReturnType<typeof this.last>, number>();
  },
});

// # a mixin uses what only the component has
const abstract = defineMixin({
  props: { db: "$.service.db" },
  methods: {
    async poll(): Promise<void> {
      for (const item of await this["fetchItems"]()) this.$emit(item, { id: item.id });
      same<typeof this.db, Database>();
    },
  },
});
defineComponent({
  ...abstract,
  name: "case",
  version: "0.0.1",
  methods: {
    ...abstract.methods,
    async fetchItems(): Promise<{ id: string }[]> {
      return [];
    },
  },
  async run() {
    await this.poll();
  },
});

// # a mixin of methods only, and one of nothing
const words = defineMixin({
  methods: {
    shout(text: string): string {
      return text.toUpperCase();
    },
  },
});
const nothing = defineMixin({});
defineComponent({
  ...nothing,
  ...words,
  name: "case",
  version: "0.0.1",
  run() {
    same<ReturnType<typeof this.shout>, string>();
  },
});

// # a component spread into another
const base = defineComponent({
  name: "base",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", word: { type: "string" } },
  methods: {
    shout(): string {
      return this.word.toUpperCase();
    },
  },
  run() {},
});
defineComponent({
  ...base,
  name: "case",
  version: "0.0.2",
  props: { ...base.props, count: { type: "integer" } },
  methods: {
    ...base.methods,
    twice(): string {
      return this.shout() + this.shout();
    },
  },
  run() {
    same<typeof this.count, number>();
    same<typeof this.word, string>();
    this.$emit({}, { id: this.twice() });
  },
});

// # a plain object as a base
const common = {
  version: "0.0.1",
  props: { db: "$.service.db", word: { type: "string" } },
  methods: {
    double(value: number): number {
      return value * 2;
    },
  },
};
defineComponent({
  ...common,
  name: "case",
  props: { ...common.props, count: { type: "integer" } },
  methods: { ...common.methods },
  run() {
    this.db.set("count", this.double(this.count));
    same<ReturnType<typeof this.double>, number>();
  },
});

// # a base without types
const untyped: any = {};
defineComponent({
  ...untyped,
  name: "case",
  version: "0.0.1",
  props: { ...untyped.props, count: { type: "integer" } },
  methods: { ...untyped.methods },
  run() {
    return this.anything() + this.count;
  },
});

// # an option method in a mixin
const choosing = defineMixin({
  props: {
    acme,
    item: {
      type: "string",
      async options() {
        return (await this.acme.list("all")).map(({ id }) => id);
      },
    },
  },
});
defineComponent({
  ...choosing,
  name: "case",
  version: "0.0.1",
  run() {
    same<typeof this.item, string>();
  },
});

// # additional props of a mixin, spread and called
const growing = defineMixin({
  props: { mode: { type: "string", reloadProps: true } },
  async additionalProps() {
    return { [this.mode]: { type: "string" } };
  },
});
defineComponent({ ...growing, name: "case", version: "0.0.1", run() {} });
defineComponent({
  ...growing,
  name: "case",
  version: "0.0.1",
  async additionalProps() {
    return { ...(await growing.additionalProps.call(this)), more: { type: "integer" } };
  },
  run() {
    same<typeof this.mode, string>();
  },
});

// # a plain base that says what it is, and refers to an app
const plain = {
  type: "source",
  dedupe: "unique",
  props: {
    acme,
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    team: { propDefinition: [acme, "team"], optional: true },
    limit: { type: "integer", default: 3, min: 1 },
    states: { type: "string[]", options: ["open", "closed"], default: ["open"] },
  },
  methods: {
    id(item: { id: string }): string {
      return item.id;
    },
  },
};
defineComponent({
  ...plain,
  name: "case",
  version: "0.0.1",
  async run() {
    for (const item of await this.acme.list(this.team)) this.$emit(item, { id: this.id(item) });
  },
});
defineComponent({
  ...plain,
  name: "case",
  version: "0.0.1",
  props: { ...plain.props, board: { propDefinition: [acme, "team"] } },
  run() {
    same<typeof this.board, string>();
    return this.acme.list(this.team);
  },
});
