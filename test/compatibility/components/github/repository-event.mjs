import { createHmac, randomBytes } from "crypto";

import github from "./github.app.mjs";

export default {
  name: "Repository Event",
  version: "0.0.1",
  props: { github, db: "$.service.db", http: "$.interface.http", repoFullname: "string" },
  hooks: {
    async activate() {
      const secret = randomBytes(16).toString("hex").replace(/./g, "0");
      const { id } = await this.github.createWebhook({
        repoFullname: this.repoFullname,
        data: { name: "web", active: true, events: ["push"], config: { content_type: "json", secret } },
      });
      this.db.set("webhookId", id);
      this.db.set("secret", secret);
    },
    async deactivate() {
      await this.github.removeWebhook({ repoFullname: this.repoFullname, hookId: this.db.get("webhookId") });
    },
  },
  async run({ headers, bodyRaw, body }) {
    if (headers["x-github-event"] === "ping") return;
    const expected = `sha256=${createHmac("sha256", this.db.get("secret")).update(bodyRaw).digest("hex")}`;
    if (headers["x-hub-signature-256"] !== expected) throw new Error("The signature does not match");
    const { repository } = await this.github.query("query($login: String!) { repository(owner: $login) { id } }", {
      login: body.owner,
    });
    this.$emit(
      { ...body, repository },
      { id: headers["x-github-delivery"], summary: `${body.commits.length} commits` },
    );
  },
};
