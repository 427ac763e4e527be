/** An app whose props, methods and pages its sources share. */
export default {
  type: "app",
  app: "board",
  propDefinitions: {
    board: {
      type: "string",
      label: "Board",
      async options({ page }) {
        const { boards } = await this.request("/boards", { page });
        return boards.map(({ id, name }) => ({ label: name, value: id }));
      },
    },
    column: {
      type: "string[]",
      label: "Columns",
      optional: true,
      async options({ board }) {
        return (await this.request(`/boards/${board}/columns`)).columns;
      },
    },
    limit: { type: "integer", label: "Limit", optional: true, default: 2, min: 1, max: 10 },
  },
  methods: {
    async request(path, params = {}) {
      const url = new URL(`https://${this.$auth.subdomain}.board.example.com${path}`);
      for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
      const response = await fetch(url, { headers: { authorization: `Bearer ${this.$auth.oauth_access_token}` } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.json()).message}`);
      return response.json();
    },
    async *cards({ board, columns = [], limit }) {
      for (let page = 1; ; page += 1) {
        const { cards, more } = await this.request(`/boards/${board}/cards`, { page, limit });
        for (const card of cards) if (columns.length === 0 || columns.includes(card.column)) yield card;
        if (!more) return;
      }
    },
  },
};
