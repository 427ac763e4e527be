import { LinearClient } from "@linear/sdk";

export default {
  name: "Linear issues",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    linear: {
      type: "app",
      app: "linear",
      methods: {
        client() {
          return new LinearClient({ apiKey: this.$auth.api_key });
        },
      },
    },
    db: "$.service.db",
    http: "$.interface.http",
  },
  hooks: {
    async activate() {
      const { success, webhookId } = await this.linear
        .client()
        .createWebhook({ url: "https://here.example.com/", resourceTypes: ["Issue"], allPublicTeams: true });
      if (!success) throw new Error("Webhook failed");
      this.db.set("hookId", webhookId);
    },
    async deactivate() {
      await this.linear.client().deleteWebhook(this.db.get("hookId"));
    },
  },
  async run({ body: { data } }) {
    const issue = await this.linear.client().issue(data.id);
    this.$emit(
      { title: issue.title, created: issue.createdAt, url: issue.url },
      { id: issue.id, summary: issue.title, ts: issue.createdAt },
    );
  },
};
