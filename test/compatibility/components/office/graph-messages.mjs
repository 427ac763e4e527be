import { Client, GraphError, PageIterator } from "@microsoft/microsoft-graph-client";
import "isomorphic-fetch";

export default {
  name: "Graph Messages",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    outlook: {
      type: "app",
      app: "outlook",
      methods: {
        client() {
          return Client.initWithMiddleware({
            authProvider: { getAccessToken: () => Promise.resolve(this.$auth.oauth_access_token) },
          });
        },
      },
    },
    db: "$.service.db",
    http: { type: "$.interface.http", customResponse: true },
  },
  hooks: {
    async activate() {
      const content = { changeType: "created", notificationUrl: "https://here.example.com", resource: "me/messages" };
      const { id } = await this.outlook.client().api("/subscriptions").post(content);
      this.db.set("hookId", id);
    },
    async deactivate() {
      await this.outlook
        .client()
        .api(`/subscriptions/${this.db.get("hookId")}`)
        .delete();
    },
  },
  async run({ body, query }) {
    if (query?.validationToken ?? body.validationToken)
      return this.http.respond({ status: 200, headers: { "Content-Type": "text/plain" }, body: body.validationToken });
    this.http.respond({ status: 202 });
    const client = this.outlook.client();
    const first = await client
      .api("/me/messages")
      .filter("isRead eq false")
      .select(["id", "subject"])
      .top(2)
      .orderby("receivedDateTime")
      .get();
    const emit = ({ id, subject }) => Boolean(this.$emit({ id, subject }, { id, summary: subject })) || true;
    await new PageIterator(client, first, emit).iterate();
    try {
      await client.api("/me/nothing").header("Prefer", "x").get();
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      this.$emit({ status: error.statusCode, code: error.code, message: error.message }, { id: "nothing" });
    }
  },
};
