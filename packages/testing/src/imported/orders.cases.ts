import { defineComponent } from "@x/types";

import acme from "./acme-app.cases.ts";

/** An order, as it is emitted. */
export interface Order {
  id: string;
  total: number;
  seen: Date;
}

/** A component as authors write them: typed, with an app in another file. */
export default defineComponent({
  name: "Orders",
  version: "1.0.0",
  dedupe: "unique",
  emits: {} as Order,
  props: {
    acme,
    board: { propDefinition: [acme, "board"] },
    most: { propDefinition: [acme, "most"] },
    states: { type: "string[]", default: ["open"] },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    db: "$.service.db",
  },
  async run() {
    if (this.board === "broken") throw new RangeError("no such board");
    for (const { id, total } of await this.acme.orders(this.board))
      void this.$emit({ id, total, seen: new Date() }, { id, summary: `Order ${id}` });
  },
});

/** Another one in the same file, which nobody can deploy. */
export const refunds = defineComponent({ name: "Refunds", version: "1.0.0", run() {} });
