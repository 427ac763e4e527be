import { defineComponent } from "@x/types";

/** The event of each order. */
export interface Order {
  readonly id: string;
  readonly total: number;
  /** The signed text, unchanged. */
  readonly received: string;
}

/** Accepts the orders of a shop, and emits each once, however often the shop sends it. */
export default defineComponent({
  name: "Orders",
  version: "1.0.0",
  description: "Emits every order that a shop posts",
  dedupe: "unique",
  props: { http: "$.interface.http" },
  emits: {} as Order,
  async run({ body, bodyRaw }) {
    const { id, total } = body as { id: string; total: number };
    await this.$emit({ id, total, received: bodyRaw }, { id, summary: `Order ${id}` });
  },
});
