import { createHmac, timingSafeEqual } from "node:crypto";

export default {
  name: "Signed by HMAC",
  version: "0.0.1",
  dedupe: "unique",
  props: { http: { type: "$.interface.http", customResponse: true }, secret: { type: "string", secret: true } },
  methods: {
    isGenuine({ headers, bodyRaw }) {
      const expected = createHmac("sha256", this.secret).update(bodyRaw, "utf8").digest();
      const given = Buffer.from((headers["x-signature"] ?? "").replace("sha256=", ""), "hex");
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  },
  run(event) {
    if (!this.isGenuine(event)) return this.http.respond({ status: 401, body: "no" });
    this.http.respond({ status: 200, headers: { "x-seen": "1" }, body: { ok: true } });
    this.$emit(event.body, { id: event.body.id, summary: `Order ${event.body.id}`, ts: 1 });
  },
};
