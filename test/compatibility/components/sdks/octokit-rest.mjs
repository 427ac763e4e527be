import { Octokit } from "@octokit/rest";

export default {
  name: "Octokit REST",
  version: "0.0.1",
  dedupe: "unique",
  props: { timer: "$.interface.timer", github: { type: "app", app: "github", methods: {} } },
  async run() {
    const octokit = new Octokit({
      auth: this.github.$auth.oauth_access_token,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    for await (const { data } of octokit.paginate.iterator(octokit.rest.issues.listForRepo, {
      owner: "acme",
      repo: "r",
      per_page: 2,
    }))
      for (const { id, title } of data) this.$emit({ id, title }, { id, summary: title });
    const { status, data } = await octokit.rest.repos.createWebhook({
      owner: "acme",
      repo: "r",
      config: { url: "https://me.example.com" },
    });
    this.$emit({ status, data }, { id: "hook" });
    const failed = await octokit.rest.repos
      .get({ owner: "acme", repo: "none" })
      .catch(({ name, status, message }) => ({ name, status, message }));
    this.$emit(failed, { id: "failed" });
  },
};
