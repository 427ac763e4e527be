import fetch, { Headers } from "cross-fetch";

export default {
  name: "Cross fetch feed",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const headers = new Headers({ "X-One": "1" });
    headers.append("x-one", "2");
    const response = await fetch("https://feed.example.com/a?b=c", { headers });
    this.$emit({
      ok: response.ok,
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.json(),
    });
    const posted = await fetch("https://feed.example.com/form", {
      method: "POST",
      body: new URLSearchParams({ a: "ü", b: "1 2" }),
    });
    this.$emit({ status: posted.status, text: await posted.text() });
  },
};
