import axios from "axios";

/** Follows where an API has moved to. */
export default {
  name: "Redirected",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  async run() {
    const { data } = await axios.get("https://old.example.com/items", {
      headers: { Authorization: "Bearer here-only" },
    });
    this.$emit(data, { id: data.id });
    const posted = await axios.post("https://old.example.com/items", { name: "n" });
    this.$emit(posted.data, { id: posted.data.id });
    const init = { method: "POST", body: "n", headers: { Authorization: "Bearer here-only" } };
    const { url, redirected, status } = await fetch("https://old.example.com/items", init);
    this.$emit({ url, redirected, status });
  },
};
