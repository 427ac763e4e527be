import youtube from "./youtube.app.mjs";

/** Newest videos of a search, page by page. */
export default {
  name: "New Videos",
  version: "0.0.1",
  dedupe: "unique",
  props: { youtube, timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } }, query: "string" },
  async run() {
    let pageToken;
    do {
      const { data, status } = await this.youtube.client().search.list({
        part: ["snippet", "id"],
        q: this.query,
        type: ["video"],
        order: "date",
        maxResults: 2,
        pageToken,
      });
      for (const { id, snippet } of data.items) {
        this.$emit(
          { ...snippet, status },
          { id: id.videoId, summary: snippet.title, ts: Date.parse(snippet.publishedAt) },
        );
      }
      pageToken = data.nextPageToken;
    } while (pageToken);
  },
};
