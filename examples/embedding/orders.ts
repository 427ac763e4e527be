import { defineComponent } from "@x/types";

/** What goes out for each order. */
export interface Order {
  readonly id: string;
  readonly total: number;
  /** The text that was signed, kept as it came. */
  readonly received: string;
}

/** Takes the orders that a shop sends, each once however often it sends it. */
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
