import https from "node:https";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const agent = new https.Agent({ keepAlive: true, maxSockets: 2 });

export default {
  name: "Agents",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  methods: {
    async ask(path, { method = "GET", headers = {}, body } = {}) {
      const request = https.request({ hostname: "agents.example.com", path, method, headers, agent });
      for (const part of body ?? []) request.write(part);
      request.end();
      const [response] = await once(request, "response");
      const { statusCode, statusMessage, headers: given } = response;
      return { statusCode, statusMessage, kind: given["x-kind"], text: await text(response) };
    },
  },
  async run() {
    const answers = await Promise.all(["/one", "/two?x=%20", "/three"].map((path) => this.ask(path)));
    this.$emit({ answers });
    this.$emit(
      await this.ask("/upload", {
        method: "PUT",
        headers: { "Content-Type": "text/plain", "X-Two": ["a", "b"] },
        body: ["first ", Buffer.from("ü"), new Uint8Array([33])],
      }),
    );
    this.$emit({
      pooled: agent.maxSockets,
      keeps: agent.keepAlive,
      protocol: agent.protocol,
      name: agent.getName({ host: "h", port: 1 }),
    });
  },
};
