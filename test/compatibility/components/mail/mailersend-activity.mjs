import { MailerSend, EmailWebhook } from "mailersend";

export default {
  name: "MailerSend Activity",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    mailersend: {
      type: "app",
      app: "mailersend",
      methods: {
        client() {
          return new MailerSend({ apiKey: this.$auth.api_key });
        },
      },
    },
    db: "$.service.db",
    http: "$.interface.http",
    domainId: "string",
  },
  hooks: {
    async activate() {
      const webhook = new EmailWebhook()
        .setName("compat")
        .setUrl("https://here.example.com")
        .setDomainId(this.domainId)
        .setEvents(["activity.opened"])
        .setEnabled(true);
      const { body } = await this.mailersend.client().email.webhook.create(webhook);
      this.db.set("hookId", body.data.id);
    },
    async deactivate() {
      await this.mailersend.client().email.webhook.delete(this.db.get("hookId"));
    },
  },
  async run({ body }) {
    const { email } = this.mailersend.client();
    try {
      const { body: found } = await email.activity.domain(this.domainId, {
        date_from: 1,
        date_to: 2,
        "event[]": ["opened"],
      });
      found.data.forEach((each) => this.$emit({ ...each, by: body.by }, { id: each.id, summary: each.type }));
    } catch (error) {
      throw new Error(`MailerSend: ${error.statusCode} ${error.body?.message}`);
    }
  },
};
