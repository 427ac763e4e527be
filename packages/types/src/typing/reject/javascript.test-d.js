/* oxlint-disable -- programs as authors write them, each with one mistake */
// @ts-check
import { defineApp, defineComponent } from "@x/types";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { team: { type: "string" } },
  methods: {
    /** @param {string} team */
    async items(team) {
      return [{ id: team }];
    },
  },
});

// # JavaScript: a prop used as another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { count: { type: "integer" } },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    return this.count.trim();
  },
});

// # JavaScript: a method that the app does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  async run() {
    // @ts-expect-error -- item: Property 'item' does not exist
    return await this.acme.item("a");
  },
});

// # JavaScript: greatest with an id that is no number
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  props: { acme, team: { propDefinition: [acme, "team"] } },
  async run() {
    const [item] = await this.acme.items(this.team);
    // @ts-expect-error -- id: Type 'string' is not assignable to type
    this.$emit(item, { id: item.id });
  },
});

// # JavaScript: respond without customResponse
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run() {
    // @ts-expect-error -- respond: respond needs customResponse: true
    await this.http.respond({ status: 200 });
  },
});

// # JavaScript: a misspelt field of a prop
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- lable: a prop has no field lable
      lable: "Text",
    },
  },
  run() {},
});

// # JavaScript: a definition that the app does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      // @ts-expect-error -- propDefinition: the app has no propDefinition called teems
      propDefinition: [acme, "teems"],
    },
  },
  run() {},
});

// # JavaScript: a field of the event that it does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run({
    timestamp,
    // @ts-expect-error -- headers: Property 'headers' does not exist
    headers,
  }) {
    return [timestamp, headers];
  },
});

// # JavaScript: a value of another type in a described db
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: /** @type {import("@x/types").DbProp<{ cursor: string }>} */ ("$.service.db") },
  run() {
    // @ts-expect-error -- 1: Argument of type 'number' is not assignable to parameter of type 'string'
    this.db.set("cursor", 1);
  },
});

// # JavaScript: choices of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must be a list or a method, with values of that type
      options: [1, 2],
    },
  },
  run() {},
});

// # JavaScript: unique without an id, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    /** @param {string} text */
    tell(text) {
      // @ts-expect-error -- {: Property 'id' is missing
      this.$emit({ text }, { summary: text });
    },
  },
  run() {
    this.tell("a");
  },
});

// # JavaScript: a hook that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  hooks: {
    // @ts-expect-error -- deployed: no hook is called deployed: there are deploy, activate and deactivate
    async deployed() {},
  },
  run() {},
});

// # JavaScript: an event of none of the declared shapes
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: /** @type {{ kind: "new", total: number } | { kind: "gone", at: string }} */ (/** @type {unknown} */ ({})),
  run() {
    // @ts-expect-error -- total: 'total' does not exist in type
    this.$emit({ kind: "gone", total: 1 });
  },
});

// # JavaScript: options answer with something else
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must return a list of values of that type
      async options({ page }) {
        const items = await this.acme.items(String(page));
        return items;
      },
    },
  },
  run() {},
});

// # JavaScript: a default of another type beside a propDefinition
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      propDefinition: [acme, "team"],
      // @ts-expect-error -- default: default of a prop of type string must be text
      default: 1,
    },
  },
  run() {},
});
