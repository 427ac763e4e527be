import got, { HTTPError } from "got";

export default {
  name: "Got pages",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    client() {
      return got.extend({
        prefixUrl: "https://api.example.com/v2",
        headers: { "user-agent": "compatibility", authorization: "Bearer t" },
        retry: { limit: 2, calculateDelay: ({ computedValue }) => (computedValue ? 1 : 0) },
        responseType: "json",
      });
    },
  },
  async run() {
    const client = this.client();
    const since = this.db.get("since") ?? 0;
    const items = await client.paginate.all("items", {
      searchParams: { since, page: 1 },
      pagination: {
        transform: ({ body }) => body.items,
        paginate: ({ response, currentItems }) =>
          currentItems.length > 0 && response.body.next ? { searchParams: { since, page: response.body.next } } : false,
      },
    });
    for (const item of items) this.$emit(item, { id: item.id, summary: item.name });
    this.db.set("since", since + items.length);
    const made = await client.post("notes", { json: { text: "ü", count: items.length } });
    this.$emit({ id: "made", status: made.statusCode, url: made.url, body: made.body }, { id: "made" });
    try {
      await client.get("missing", { retry: { limit: 0 } });
    } catch (error) {
      const { response } = error;
      const told = { name: error.name, code: error.code, message: error.message, body: response?.body };
      this.$emit({ is: error instanceof HTTPError, ...told }, { id: "error" });
    }
  },
};
