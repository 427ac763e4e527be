/* oxlint-disable -- programs as authors write them */
// @ts-check
import { defineApp, defineComponent, defineMixin } from "@x/types";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: {
      type: "string",
      label: "Team",
      async options({ page }) {
        return await this.teams(page);
      },
    },
    labels: { type: "string[]", optional: true },
  },
  methods: {
    /** @param {number} page */
    async teams(page) {
      return [`${this.$auth.api_key}-${page}`];
    },
    /**
     * @param {string} team
     * @returns {Promise<{ id: number, at: string }[]>}
     */
    async items(team) {
      return [{ id: team.length, at: "2030-01-01" }];
    },
  },
});

// # JavaScript: props, apps and the event are inferred
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    team: { propDefinition: [acme, "team"] },
    labels: { propDefinition: [acme, "labels"], description: "Which" },
    state: { type: "string", options: ["open", "closed"], optional: true },
  },
  async run(event) {
    /** @type {number} */
    const at = event.timestamp;
    /** @type {"open" | "closed" | undefined} */
    const state = this.state;
    /** @type {string[] | undefined} */
    const labels = this.labels;
    const [first] = await this.acme.items(this.team);
    return [at, state, labels, first.id.toFixed()];
  },
});

// # JavaScript: a described db by a cast
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    db: /** @type {import("@x/types").DbProp<{ cursor: string, count: number }>} */ ("$.service.db"),
  },
  run() {
    /** @type {string | undefined} */
    const cursor = this.db.get("cursor");
    this.db.set("count", (this.db.get("count") ?? 0) + 1);
    return cursor;
  },
});

// # JavaScript: greatest ids, in methods and hooks
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  props: { acme, team: { propDefinition: [acme, "team"] } },
  methods: {
    /** @param {{ id: number, at: string }} item */
    send(item) {
      this.$emit(item, { id: item.id, summary: `New ${item.id}`, ts: Date.parse(item.at) });
    },
  },
  hooks: {
    async deploy() {
      const items = await this.acme.items(this.team);
      items.forEach(this.send);
    },
  },
  async run() {
    for (const item of await this.acme.items(this.team)) this.send(item);
  },
});

// # JavaScript: an answer to a request
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  methods: {
    /**
     * @param {number} status
     * @param {string} error
     */
    refuse(status, error) {
      return this.http.respond({ status, body: { error } });
    },
  },
  async run({ method, body }) {
    if (method !== "POST") return this.refuse(405, "Send a POST request");
    this.$emit({ message: body.message });
    return this.http.respond({ status: 201, body: { id: body.id } });
  },
});

// # JavaScript: a counter in the db
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { cron: "* * * * *" } }, db: "$.service.db" },
  run(event) {
    const count = (this.db.get("count") ?? 0) + 1;
    this.db.set("count", count);
    this.$emit({ count, scheduled: new Date(event.timestamp * 1000).toISOString() }, { summary: `Run ${count}` });
  },
});

// # JavaScript: a mixin that calls what the component brings
const polling = defineMixin({
  props: { db: "$.service.db", acme },
  methods: {
    async poll() {
      for (const item of await this.fetchItems()) this.$emit(item, this.describe(item));
    },
  },
  hooks: {
    async deploy() {
      await this.poll();
    },
  },
});
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  props: { ...polling.props, limit: { type: "integer" } },
  methods: {
    ...polling.methods,
    async fetchItems() {
      return (await this.acme.items("a")).slice(0, this.limit);
    },
    /** @param {{ id: number }} item */
    describe(item) {
      return { id: item.id };
    },
  },
  async run() {
    await this.poll();
  },
});

// # JavaScript: a plain common object
const common = {
  dedupe: "unique",
  props: { db: "$.service.db", limit: { type: "integer", label: "Limit" } },
  methods: {
    /** @param {number} value */
    double(value) {
      return value * 2;
    },
  },
};
defineComponent({
  ...common,
  name: "case",
  version: "0.0.1",
  props: { ...common.props, word: { type: "string" } },
  methods: { ...common.methods },
  run() {
    this.db.set("last", this.double(this.limit));
    this.$emit({ word: this.word.trim() }, { id: this.word });
  },
});

// # JavaScript: a component as the default export
export default defineComponent({
  name: "case",
  version: "0.0.1",
  emits: /** @type {{ total: number }} */ ({}),
  props: { text: { type: "string" } },
  run() {
    this.$emit({ total: this.text.length });
  },
});

// # JavaScript: events of several shapes reach those who receive them
const shapes = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: /** @type {{ kind: "new", total: number } | { kind: "gone", at: Date }} */ (/** @type {unknown} */ ({})),
  methods: {
    /** @param {number} total */
    tell(total) {
      this.$emit({ kind: "new", total });
    },
  },
  run() {
    this.tell(1);
    this.$emit({ kind: "gone", at: new Date() });
  },
});
/** @param {import("@x/types").Emits<typeof shapes>} event */
export const describe = (event) => (event.kind === "new" ? event.total.toFixed() : event.at.trim());

// # JavaScript: options of every form, and defaults
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"], default: "a" },
    labels: { propDefinition: [acme, "labels", ({ team }) => ({ team })], default: ["bug"] },
    item: {
      type: "integer",
      async options({ page }) {
        const items = await this.acme.items(String(page));
        return { options: items.map(({ id, at }) => ({ label: at, value: id })), context: { after: page } };
      },
    },
    /** @type {any} */
    loose: { type: "string", options: async () => JSON.parse("[]") },
  },
  async run() {
    return [this.item.toFixed(), this.labels.length];
  },
});
