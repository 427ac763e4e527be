import Bottleneck from "bottleneck";

export default {
  name: "Limited",
  version: "0.0.1",
  props: {},
  async run() {
    const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 2 });
    const order = [];
    limiter.on("failed", async (error, { retryCount }) => (retryCount < 1 ? 1 : undefined));
    const get = limiter.wrap(async (id) => {
      order.push(`start ${id}`);
      const answer = await fetch(`https://api.example.com/items/${id}`);
      order.push(`end ${id}`);
      if (!answer.ok) throw new Error(`Status ${answer.status}`);
      return answer.json();
    });
    const results = await Promise.allSettled([1, 2, 3].map((id) => get(id)));
    this.$emit({ order, results: results.map(({ value, reason }) => value ?? reason.message) });
  },
};
