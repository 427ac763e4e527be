/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineAction, defineApp, defineComponent } from "@x/types";

// # hooks misnamed
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" }, db: "$.service.db" },
  methods: {
    words(): string {
      return this.text;
    },
  },
  // @ts-expect-error -- hook: the field is called hooks, not hook
  hook: {
    async deploy() {
      this.db.set("words", this.words());
    },
  },
  run() {
    return this.text;
  },
});

// # methods misnamed, and called everywhere
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: { type: "string" },
    some: {
      type: "string",
      async options({ page }) {
        return [this.words(page)];
      },
    },
  },
  // @ts-expect-error -- method: the field is called methods, not method
  method: {
    words(page: number): string {
      return this.text.repeat(page);
    },
  },
  hooks: {
    async deploy() {
      this.words(1);
    },
  },
  run() {
    return this.words(2);
  },
});

// # props misnamed, with an option method
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- prop: the field is called props, not prop
  prop: {
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    some: {
      type: "string",
      async options({ page }) {
        return [String(page), this.words()];
      },
    },
  },
  methods: {
    words(): string {
      return this.db.get("words");
    },
  },
  run(event) {
    this.$emit({ some: this.some, words: this.words(), at: event.timestamp });
  },
});

// # props called properties
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- properties: the field is called props, not properties
  properties: { text: { type: "string" } },
  run() {
    return this.text;
  },
});

// # additional props misnamed
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { kind: { type: "string", reloadProps: true } },
  // @ts-expect-error -- additionalProp: the field is called additionalProps, not additionalProp
  additionalProp() {
    return { more: { type: "string", label: this.kind } };
  },
  run() {
    return this.more;
  },
});

// # definitions of an app misnamed, with an option method
defineApp({
  type: "app",
  app: "acme",
  // @ts-expect-error -- propDefinition: the field is called propDefinitions, not propDefinition
  propDefinition: {
    team: {
      type: "string",
      async options({ page }) {
        return await this.teams(page);
      },
    },
  },
  methods: {
    async teams(page: number): Promise<string[]> {
      return [String(page), this.$auth.key];
    },
  },
});

// # definitions of an app called props
defineApp({
  type: "app",
  app: "acme",
  // @ts-expect-error -- props: the field is called propDefinitions, not props
  props: { team: { type: "string" } },
});

// # methods of an app misnamed
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: {
      type: "string",
      async options({ page }) {
        return await this.teams(page);
      },
    },
  },
  // @ts-expect-error -- method: the field is called methods, not method
  method: {
    async teams(page: number): Promise<string[]> {
      return [String(page), this.$auth.key];
    },
  },
});

// # methods of an action misnamed
defineAction({
  type: "action",
  name: "send",
  props: { to: { type: "string" } },
  // @ts-expect-error -- method: the field is called methods, not method
  method: {
    words(): string {
      return this.to;
    },
  },
  run() {
    return this.words();
  },
});

// # props of an action misnamed
defineAction({
  type: "action",
  name: "send",
  // @ts-expect-error -- prop: the field is called props, not prop
  prop: { to: { type: "string" } },
  run({ steps }) {
    return [this.to, steps.trigger];
  },
});
