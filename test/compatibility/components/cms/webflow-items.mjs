import { WebflowClient } from "webflow-api";

export default {
  name: "Webflow Items",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    webflow: {
      type: "app",
      app: "webflow",
      methods: {
        client() {
          return new WebflowClient({ accessToken: this.$auth.oauth_access_token });
        },
      },
    },
    db: "$.service.db",
    http: "$.interface.http",
    siteId: "string",
  },
  hooks: {
    async activate() {
      const { id } = await this.webflow
        .client()
        .webhooks.create(this.siteId, { triggerType: "form_submission", url: "https://here.example.com" });
      this.db.set("hookId", id);
    },
    async deactivate() {
      await this.webflow.client().webhooks.delete(this.db.get("hookId"));
    },
  },
  async run({ body }) {
    const { items, pagination } = await this.webflow
      .client()
      .collections.items.listItems(body.collection, { limit: 2, offset: 4 }, { maxRetries: 0 });
    for (const { id, fieldData, createdOn } of items)
      this.$emit({ id, fieldData, total: pagination.total, createdOn }, { id, summary: fieldData.name });
    await this.webflow
      .client()
      .sites.get("missing", { maxRetries: 0 })
      .catch((error) => {
        this.$emit({ status: error.statusCode, body: error.body, name: error.constructor.name }, { id: "missing" });
      });
  },
};
