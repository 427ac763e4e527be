export default {
  name: "Orders per customer",
  version: "0.0.1",
  props: {
    timer: "$.interface.timer",
    orders: { type: "data_store", label: "Where orders are counted" },
    other: { type: "data_store", optional: true },
  },
  methods: {
    async count(customer) {
      const count = ((await this.orders.get(customer)) ?? 0) + 1;
      await this.orders.set(customer, count);
      return count;
    },
  },
  hooks: {
    async deploy() {
      await this.orders.set("first", { since: ["today"] });
    },
  },
  async run() {
    const counts = [await this.count("ann"), await this.count("__proto__"), await this.count("ann")];
    const { orders } = this;
    this.$emit({
      counts,
      missing: await orders.get("nobody"),
      has: [await orders.has("ann"), await orders.has("bob")],
      deleted: [await orders.delete("first"), await orders.delete("first")],
      keys: await orders.keys(),
      entries: await orders.entries(),
      size: await orders.size(),
      other: typeof this.other,
    });
  },
};
