import { WebClient } from "@slack/web-api";

/** Searches messages page by page, then asks who wrote them. */
export default {
  name: "Messages",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    slack: {
      type: "app",
      app: "slack",
      methods: {
        client() {
          return new WebClient(this.$auth.oauth_access_token, {
            rejectRateLimitedCalls: true,
            retryConfig: { retries: 0 },
          });
        },
        async call(method, args) {
          try {
            return await this.client()[method[0]][method[1]](args);
          } catch (error) {
            throw new Error(`${error.code}: ${error.data?.error ?? error.retryAfter ?? error.message}`);
          }
        },
      },
    },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  async run() {
    const client = this.slack.client();
    const names = new Map();
    for await (const { messages } of client.paginate("conversations.history", { channel: "C1", limit: 2 })) {
      for (const { ts, user, text, blocks } of messages) {
        if (!names.has(user)) names.set(user, (await this.slack.call(["users", "info"], { user })).user.name);
        this.$emit({ text, blocks, from: names.get(user) }, { id: ts, summary: text, ts: Number(ts) * 1000 });
      }
    }
    await this.slack.call(["chat", "postMessage"], { channel: "C1", text: "é & ü", blocks: [{ type: "divider" }] });
    await this.slack.call(["chat", "delete"], { channel: "C1", ts: "1" });
  },
};
