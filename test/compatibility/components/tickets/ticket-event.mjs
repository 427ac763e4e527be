import common from "./common/webhook.mjs";

export default {
  ...common,
  key: "tickets-ticket-event",
  name: "New Ticket Event (Instant)",
  description: "Emit new event when something happens to a ticket",
  version: "0.0.3",
  type: "source",
  dedupe: "unique",
  methods: {
    ...common.methods,
    getEvents() {
      return ["ticket.created", "ticket.closed"];
    },
    getSummary({ type, ticket }) {
      return `${type}: ${ticket.subject}`;
    },
  },
};
