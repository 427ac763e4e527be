import { DEFAULT_POLLING_SOURCE_TIMER_INTERVAL } from "@pipedream/platform";

import tickets from "./tickets.app.mjs";

export default {
  key: "tickets-new-ticket",
  name: "New Ticket",
  version: "0.0.1",
  type: "source",
  dedupe: "unique",
  props: {
    tickets,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: DEFAULT_POLLING_SOURCE_TIMER_INTERVAL } },
  },
  methods: {
    async startEvent(maxResults = 0) {
      const lastId = this.db.get("lastId") ?? 0;
      const found = [];
      const resourceFn = this.tickets.listTickets;
      for await (const ticket of this.tickets.paginate({
        resourceFn,
        params: { sort: "-id", every: this.timer.intervalSeconds },
      })) {
        if (ticket.id <= lastId || (maxResults && found.length >= maxResults)) break;
        found.push(ticket);
      }
      if (found.length) this.db.set("lastId", found[0].id);
      for (const ticket of found.toReversed())
        this.$emit(ticket, { id: ticket.id, summary: `New: ${ticket.subject}`, ts: ticket.at });
    },
  },
  hooks: {
    async deploy() {
      await this.startEvent(2);
    },
  },
  async run() {
    await this.startEvent();
  },
};
