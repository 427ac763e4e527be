import { deploy, repeat } from "./client.ts";
import type { Flood } from "./contract.ts";
import { post } from "./post.ts";

const code = `export default {
  name: "Flooding", version: "1", props: { db: "$.service.db", http: "$.interface.http" },
  run(event) {
    for (const end = Date.now() + 5; Date.now() < end; );
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    for (let sent = 0; sent < 10; sent++) this.$emit({ n, sent, body: event.body });
  },
};`;

/** One ordinary source that gets more requests than it can handle. */
export const source: Flood = {
  name: "source",
  about: "requests without a pause to one source that computes for 5 ms and emits ten events",
  goals: { share: 0.9, slowdown: 2 },
  async start(target) {
    const { endpoint = "" } = await deploy(target, code);
    return repeat(10, async () => {
      await post(endpoint, JSON.stringify({ text: "x".repeat(1_000) }));
    });
  },
};
