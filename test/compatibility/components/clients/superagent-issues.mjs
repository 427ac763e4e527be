import request from "superagent";

export default {
  name: "Superagent issues",
  version: "0.0.1",
  dedupe: "unique",
  props: { timer: "$.interface.timer" },
  async run() {
    const { body, headers } = await request
      .get("https://issues.example.com/list")
      .query({ state: "open", tags: ["a", "b c"] })
      .set("X-Client", "one")
      .auth("user", "pass");
    for (const { id, title } of body) this.$emit({ id, title, page: headers["x-page"] }, { id });
    const made = await request.post("https://issues.example.com/make").type("form").send({ a: 1 }).send("b=2&c=ü");
    this.$emit({ status: made.status, text: made.text }, { id: "made" });
    const refused = await request.delete("https://issues.example.com/gone").ok(({ status }) => status < 500);
    this.$emit({ status: refused.status, ok: refused.ok, notFound: refused.notFound }, { id: "refused" });
    try {
      await request.put("https://issues.example.com/broken").send({ deep: { x: [1] } });
    } catch (error) {
      this.$emit({ status: error.status, message: error.message, body: error.response.body }, { id: "error" });
    }
  },
};
