import axios from "axios";

/** An API that gives pages by number and wants a key. */
export default {
  type: "app",
  app: "contacts",
  propDefinitions: {
    listId: {
      type: "string",
      label: "List",
      async options({ page }) {
        const { lists } = await this.request({ path: "/lists", params: { page: page + 1 } });
        return lists.map(({ id: value, name: label }) => ({ label, value }));
      },
    },
  },
  methods: {
    client() {
      const client = axios.create({
        baseURL: `https://${this.$auth.region}.contacts.example.com/api/`,
        timeout: 10_000,
        headers: { common: { "X-Api-Key": this.$auth.api_key } },
      });
      client.interceptors.request.use((config) => {
        config.headers.set("X-Trace", `${config.method}:${config.url}`);
        return config;
      });
      client.interceptors.response.use(
        ({ data }) => data,
        (error) => {
          if (error.response?.status === 404) return { items: [], pages: 0 };
          throw error;
        },
      );
      return client;
    },
    request({ path, ...config }) {
      return this.client()({ url: path, ...config });
    },
    async *contacts({ listId, ...params }) {
      for (let page = 1, pages = 1; page <= pages; page++) {
        const found = await this.request({
          path: `/lists/${listId}/contacts`,
          params: { ...params, page, per_page: 2 },
        });
        pages = found.pages;
        yield* found.items;
      }
    },
  },
};
