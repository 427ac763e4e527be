import acme from "./app.mjs";

export default {
  name: "Bound",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    acme,
    again: { ...acme, label: "Again" },
    list: { propDefinition: [acme, "list"], default: "orders" },
    db: "$.service.db",
  },
  methods: {
    emitItem(item) {
      const { id, ts } = item;
      this.$emit(item, { id, ts, summary: `Item ${id}` });
    },
    run() {
      return "a method, not run";
    },
    async collect(resource, ...given) {
      return resource(...given);
    },
  },
  hooks: {
    async activate() {
      this.db.set("words", [this.acme.deploy(), this.run()]);
    },
  },
  async run() {
    const { emitItem, collect } = this;
    const items = await collect(this.acme.items, this.list);
    items.forEach(this.emitItem);
    (await this.again.items("more")).map((item) => emitItem(item));
    const before = this.db.get("count") ?? 0;
    this.db.set("count", before + items.length);
    if (before > 5) throw new TypeError(`Enough: ${this.db.get("count")}`);
  },
};
