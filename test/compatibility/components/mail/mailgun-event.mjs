import { createHmac } from "node:crypto";

import formData from "form-data";
import Mailgun from "mailgun.js";

export default {
  name: "Mailgun Event",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    mailgun: {
      type: "app",
      app: "mailgun",
      methods: {
        client() {
          return new Mailgun(formData).client({ username: "api", key: this.$auth.api_key });
        },
      },
    },
    db: "$.service.db",
    http: { type: "$.interface.http", customResponse: true },
    domain: "string",
  },
  hooks: {
    async activate() {
      const { id } = await this.mailgun.client().webhooks.create(this.domain, "clicked", "https://here.example.com/in");
      this.db.set("hook", id);
    },
    async deactivate() {
      await this.mailgun.client().webhooks.destroy(this.domain, "clicked");
    },
  },
  async run({ body: { signature, "event-data": data } }) {
    const { timestamp, token, signature: given } = signature;
    const expected = createHmac("sha256", "signing-key")
      .update(timestamp + token)
      .digest("hex");
    if (given !== expected) return this.http.respond({ status: 404 });
    this.http.respond({ status: 200 });
    const { items, pages } = await this.mailgun.client().events.get(this.domain, { event: "clicked", limit: 2 });
    this.$emit(
      { ...data, items, next: pages.next?.page ?? null },
      { id: data.id, summary: data.recipient, ts: data.timestamp * 1000 },
    );
    await this.mailgun
      .client()
      .messages.create(this.domain, { from: "a@example.com", to: ["b@example.com"], subject: "Ü", text: "Hi" });
  },
};
