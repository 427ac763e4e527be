import ky, { HTTPError } from "ky";

export default {
  name: "Ky tasks",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const api = ky.create({
      headers: { "x-client": "k" },
      retry: { limit: 2, delay: () => 1, methods: ["get"], statusCodes: [503] },
      hooks: { afterResponse: [(...given) => void given] },
    });
    const tasks = await api
      .get("https://tasks.example.com/v1/tasks", { searchParams: { done: false, q: "ä b" } })
      .json();
    for (const task of tasks) this.$emit(task);
    const { headers } = await api.post("https://tasks.example.com/v1/tasks", { json: { title: "ü" } });
    this.$emit({ at: headers.get("location") });
    try {
      await api.patch("https://tasks.example.com/v1/missing", { json: {} });
    } catch (error) {
      this.$emit({ is: error instanceof HTTPError, name: error.name, status: error.response.status });
    }
  },
};
