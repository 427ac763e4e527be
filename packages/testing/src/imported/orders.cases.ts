import { defineComponent } from "@x/types";

import acme from "./acme-app.cases.ts";

/** The emitted event. */
export interface Order {
  id: string;
  total: number;
  seen: Date;
}

/** A typed component with an app in another file. */
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

/** A second component of the file, which cannot be deployed. */
export const refunds = defineComponent({ name: "Refunds", version: "1.0.0", run() {} });
