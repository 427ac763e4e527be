import { createHmac } from "crypto";

import tickets from "../tickets.app.mjs";

export default {
  props: {
    tickets,
    db: "$.service.db",
    http: { type: "$.interface.http", customResponse: true },
    projectId: { propDefinition: [tickets, "projectId"] },
  },
  hooks: {
    async activate() {
      const { id, secret } = await this.tickets.createWebhook({
        url: this.http.endpoint.replace(/^http:.*\/in\/.*/, "https://here.example.com/in"),
        events: this.getEvents(),
        project: this.projectId,
        label: undefined,
      });
      this._setHookId(id);
      this.db.set("secret", secret);
    },
    async deactivate() {
      await this.tickets.deleteWebhook(this._getHookId());
      this._setHookId(null);
    },
  },
  methods: {
    _getHookId() {
      return this.db.get("hookId");
    },
    _setHookId(hookId) {
      this.db.set("hookId", hookId);
    },
    isValid({ headers, bodyRaw }) {
      return (
        createHmac("sha1", this.db.get("secret")).update(bodyRaw).digest("base64") === headers["x-tickets-signature"]
      );
    },
    getEvents() {
      throw new Error("A component with this base must define getEvents");
    },
  },
  async run(event) {
    if (!this.isValid(event)) {
      this.http.respond({ status: 401 });
      return;
    }
    this.http.respond({ status: 200, body: "accepted", headers: { "Content-Type": "text/plain" } });
    const { ticket, type, at } = event.body;
    this.$emit(event.body, { id: `${ticket.id}-${type}`, summary: this.getSummary(event.body), ts: Date.parse(at) });
  },
};
