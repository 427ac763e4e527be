import { createHmac, timingSafeEqual } from "node:crypto";
import board from "./board.app.mjs";

export default {
  name: "Card hook",
  version: "0.0.1",
  props: { board, http: { type: "$.interface.http", customResponse: true }, db: "$.service.db" },
  hooks: {
    async activate() {
      const { id } = await this.board.request("/hooks", { url: "https://me.example.com" });
      this.db.set("hook", id);
    },
    async deactivate() {
      await this.board.request(`/hooks/${this.db.get("hook")}/end`);
    },
  },
  run({ headers, body, bodyRaw }) {
    const wanted = createHmac("sha1", this.board.$auth.secret).update(bodyRaw).digest();
    const given = Buffer.from(headers["x-board-signature"] ?? "", "base64");
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      return this.http.respond({ status: 403, headers: { "x-why": "signature" } });
    this.http.respond({ status: 202, body: { got: body.cards.length } });
    for (const card of body.cards) this.$emit(card, { id: card.id, summary: card.title });
  },
};
