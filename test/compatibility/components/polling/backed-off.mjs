const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default {
  name: "Backed off",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  methods: {
    async ask(url, init, attempt = 1) {
      const response = await fetch(url, init).catch((error) => ({ status: 0, error }));
      const { status } = response;
      if (status === 200) return response.json();
      if (attempt === 4) throw Object.assign(new Error(`gave up: ${status}`), { name: "GaveUpError" });
      await wait(Number(response.headers?.get("retry-after") ?? 0) + attempt);
      return this.ask(url, init, attempt + 1);
    },
  },
  async run() {
    this.db.set("begun", (this.db.get("begun") ?? 0) + 1);
    const { id } = await this.ask("https://busy.example.com/job", {
      method: "POST",
      body: JSON.stringify({ begun: this.db.get("begun") }),
    });
    this.$emit({ id }, { id });
    this.db.set("done", id);
  },
};
