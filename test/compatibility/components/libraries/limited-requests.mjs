import Bottleneck from "bottleneck";

/** Asks for many things, few at a time. */
export default {
  name: "Limited requests",
  version: "0.0.1",
  dedupe: "unique",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    limiter() {
      const limiter = new Bottleneck({ minTime: 2, maxConcurrent: 1, reservoir: 20 });
      limiter.on("failed", (error, { retryCount }) => (retryCount === 0 ? 3 : undefined));
      return limiter;
    },
    async item(id) {
      const answer = await fetch(`https://api.example.com/items/${id}`, { headers: { authorization: "Bearer b" } });
      if (!answer.ok) throw new Error(`Item ${id}: ${answer.status}`);
      return answer.json();
    },
  },
  async run() {
    const limiter = this.limiter();
    const ids = await limiter.schedule(async () => (await fetch("https://api.example.com/items")).json());
    const get = limiter.wrap(this.item);
    const found = await Promise.all(ids.map((id) => get(id)));
    found.forEach((item, index) =>
      this.$emit(item, { id: item.id, summary: `${index + 1} of ${found.length}`, ts: index }),
    );
    this.$emit(limiter.counts(), { id: "counts" });
    await get("gone");
  },
};
