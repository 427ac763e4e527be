import fetch from "isomorphic-fetch";

/** Asks for what changed since, in the way of conditional requests. */
export default {
  name: "isomorphic-fetch",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  async run() {
    const etag = this.db.get("etag");
    const answer = await fetch("https://api.example.com/changes", {
      headers: { Authorization: "token t", ...(etag && { "If-None-Match": etag }) },
    });
    if (answer.status === 304) return;
    if (answer.status >= 400) throw new Error(`${answer.status} ${(await answer.json()).message}`);
    const changes = await answer.json();
    changes.forEach((change) => this.$emit(change, { id: change.id, summary: change.id }));
    this.db.set("etag", answer.headers.get("ETag"));
    await fetch("https://api.example.com/ack", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ n: changes.length }),
    });
  },
};
