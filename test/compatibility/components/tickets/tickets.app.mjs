import { axios, ConfigurationError } from "@pipedream/platform";

export default {
  type: "app",
  app: "tickets",
  propDefinitions: {
    projectId: {
      type: "integer",
      label: "Project",
      async options({ prevContext }) {
        const { projects, next } = await this._makeRequest({ path: "/projects", params: { after: prevContext.after } });
        return { options: projects.map(({ id, name }) => ({ label: name, value: id })), context: { after: next } };
      },
    },
  },
  methods: {
    _baseUrl() {
      return `https://${this.$auth.domain}.tickets.example.com/rest`;
    },
    async _makeRequest({ $ = this, path, headers, ...args }) {
      try {
        return await axios($, {
          url: `${this._baseUrl()}${path}`,
          headers: { ...headers, Authorization: `Bearer ${this.$auth.oauth_access_token}`, "X-Undefined": undefined },
          ...args,
        });
      } catch (error) {
        if (error.response?.status === 401) throw new ConfigurationError(`Connect again: ${error.message}`);
        throw error;
      }
    },
    createWebhook(data) {
      return this._makeRequest({ method: "post", path: "/webhooks?version=2&note=a%20b", data });
    },
    deleteWebhook(hookId) {
      return this._makeRequest({ method: "DELETE", path: `/webhooks/${hookId}` });
    },
    listTickets(args) {
      return this._makeRequest({ path: "/tickets", ...args });
    },
    async *paginate({ resourceFn, params }) {
      let offset = 0;
      while (true) {
        const { tickets, total } = await resourceFn({ params: { ...params, offset } });
        yield* tickets;
        offset += tickets.length;
        if (offset >= total || tickets.length === 0) return;
      }
    },
  },
};
