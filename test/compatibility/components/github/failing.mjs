import github from "./github.app.mjs";

const told = ({ name, message, status, response, request, errors }) => ({
  name,
  message,
  status,
  data: response?.data,
  url: request?.url,
  errors,
});

export default {
  name: "Failing",
  version: "0.0.1",
  props: { github, timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  async run() {
    const missing = await this.github.createWebhook({ repoFullname: "a/b", data: {} }).catch(told);
    const refused = await this.github.query("{ viewer { login } }").catch(told);
    this.$emit({ missing, refused });
    await this.github.allIssues({ owner: "a", repo: "b" });
  },
};
