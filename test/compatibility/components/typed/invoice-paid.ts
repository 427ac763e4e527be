import { DEFAULT_POLLING_SOURCE_TIMER_INTERVAL } from "@pipedream/platform";
import { defineSource } from "@pipedream/types";

import { type Invoice, STATES } from "./common/types.ts";
import invoices from "./invoices.app.ts";

const isNew = (last: string | undefined, { paid_at }: Invoice): boolean => last === undefined || paid_at > last;

export default defineSource({
  key: "invoices-invoice-paid",
  name: "Invoice Paid",
  version: "0.0.1",
  type: "source",
  dedupe: "greatest",
  props: {
    invoices,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: DEFAULT_POLLING_SOURCE_TIMER_INTERVAL } },
    minimum: { type: "integer", optional: true, default: 0 },
  },
  async run() {
    const last = this.db.get("last") as string | undefined;
    const found: Invoice[] = await this.invoices.list({ state: "paid", ...(last !== undefined && { after: last }) });
    for (const invoice of found) {
      const total: number = this.invoices.total(invoice);
      if (!isNew(last, invoice) || total < this.minimum) continue;
      this.$emit(
        { ...invoice, total },
        { id: Date.parse(invoice.paid_at), summary: `${STATES.paid}: ${total.toFixed(2)}` },
      );
    }
    this.db.set("last", found.at(-1)?.paid_at ?? last);
  },
});
