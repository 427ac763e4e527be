import axios from "axios";

/** Parameters of every kind that axios writes into a URL, and the place in a feed. */
export default {
  name: "Query parameters",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    tags: { type: "string[]" },
  },
  async run() {
    const { data, status, headers } = await axios.get("https://feed.example.com/v1/items?fixed=a%20b", {
      params: {
        tags: this.tags,
        since: this.db.get("since") ?? new Date(0),
        filter: { state: "open", size: [1, 2] },
        text: "ä & b=c +d/e:f@g",
        skipped: undefined,
        none: null,
        no: false,
      },
      headers: { "X-Client": "compat", Accept: "application/json" },
    });
    for (const item of data.items)
      this.$emit(
        { item, status, kind: headers["content-type"], page: headers.get("x-page") },
        { id: item.id, summary: item.name },
      );
    this.db.set("since", data.items.at(-1)?.at ?? "never");
  },
};
