const pageSize = 2;

export default {
  name: "Offsets",
  version: "0.0.1",
  dedupe: "greatest",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", static: { intervalSeconds: 300 } } },
  methods: {
    async *pages(since) {
      for (let offset = 0; ; offset += pageSize) {
        const url = new URL("https://crm.example.com/contacts");
        url.search = new URLSearchParams({ since, limit: pageSize, offset, fields: "id,name" });
        const { items, total } = await (await fetch(url)).json();
        yield* items;
        if (offset + pageSize >= total) return;
      }
    },
  },
  async run() {
    let newest = this.db.get("newest") ?? 0;
    const found = [];
    for await (const item of this.pages(String(newest))) found.push(item);
    for (const item of found.sort((a, b) => a.id - b.id)) {
      this.$emit(item, { id: item.id, summary: item.name, ts: item.id * 1000 });
      newest = Math.max(newest, item.id);
    }
    this.db.set("newest", newest);
  },
};
