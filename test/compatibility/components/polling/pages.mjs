/** Pages of an API by its cursor, with the place kept in the db. */
export default {
  name: "Pages",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    async *items(since) {
      let cursor;
      do {
        const url = new URL("https://api.example.com/items");
        if (since) url.searchParams.set("since", since);
        if (cursor) url.searchParams.set("cursor", cursor);
        const answer = await fetch(url, { headers: { authorization: "Bearer t" } });
        if (!answer.ok) throw new Error(`Status ${answer.status}`);
        const page = await answer.json();
        yield* page.items;
        cursor = page.next;
      } while (cursor);
    },
    emitItem(item) {
      this.$emit(item, { id: item.id, summary: `Item ${item.id}`, ts: item.at });
    },
  },
  hooks: {
    async deploy() {
      for await (const item of this.items()) this.emitItem(item);
    },
  },
  async run() {
    const since = this.db.get("since");
    const found = [];
    for await (const item of this.items(since)) found.push(item);
    found.forEach(this.emitItem);
    if (found.length) this.db.set("since", String(Math.max(...found.map(({ at }) => at))));
  },
};
