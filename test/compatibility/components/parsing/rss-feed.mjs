import Parser from "rss-parser";

export default {
  name: "Feed",
  version: "0.0.1",
  dedupe: "unique",
  props: { url: { type: "string" } },
  async run() {
    const parser = new Parser({ customFields: { item: ["media:credit"] }, headers: { "x-reader": "x" } });
    const feed = await parser.parseURL(this.url);
    for (const item of feed.items.toReversed())
      this.$emit(item, { id: item.guid, summary: item.title, ts: Date.parse(item.isoDate) });
  },
};
