import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";

const CustomOctokit = Octokit.plugin(paginateRest);

export default {
  type: "app",
  app: "github",
  methods: {
    _client() {
      return new CustomOctokit({ auth: this.$auth.oauth_access_token, userAgent: "compat" });
    },
    async createWebhook({ repoFullname, data }) {
      const response = await this._client().request(`POST /repos/${repoFullname}/hooks`, data);
      return response.data;
    },
    async removeWebhook({ repoFullname, hookId }) {
      return this._client().request(`DELETE /repos/${repoFullname}/hooks/${hookId}`, {});
    },
    async allIssues({ owner, repo, ...params }) {
      return this._client().paginate("GET /repos/{owner}/{repo}/issues", { owner, repo, per_page: 2, ...params });
    },
    issuePages(params) {
      return this._client().paginate.iterator("GET /repos/{owner}/{repo}/issues", params);
    },
    async query(query, variables) {
      return this._client().graphql(query, variables);
    },
  },
};
