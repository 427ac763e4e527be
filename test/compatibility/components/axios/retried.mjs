import axios from "axios";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits as long as a busy API says, and asks again. */
export default {
  name: "Retried",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  methods: {
    client() {
      const client = axios.create({ baseURL: "https://busy.example.com" });
      client.interceptors.response.use(undefined, async (error) => {
        const { config, response } = error;
        config.attempts = (config.attempts ?? 0) + 1;
        if (![429, 503].includes(response?.status) || config.attempts > 3) throw error;
        await wait(Number(response.headers["retry-after"]) * 10);
        return client(config);
      });
      return client;
    },
  },
  async run() {
    const { data, config } = await this.client().post("/search", { query: "new", at: this.db.get("at") ?? null });
    data.forEach((found) =>
      this.$emit(found, { id: found.id, summary: `After ${config.attempts ?? 0} more`, ts: found.at }),
    );
    this.db.set("at", data[0].at);
  },
};
