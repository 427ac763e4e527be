import board from "../board.app.mjs";

export default {
  props: {
    board,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    boardId: { propDefinition: [board, "board"] },
    columns: { propDefinition: [board, "column", ({ boardId }) => ({ board: boardId })], description: "Only these" },
    limit: { propDefinition: [board, "limit"] },
  },
  hooks: {
    async deploy() {
      await this.emitCards(1);
    },
  },
  methods: {
    isRelevant: () => true,
    meta: ({ id, title }) => ({ id, summary: `Card: ${title}`, ts: Date.parse("2026-01-01") }),
    async emitCards(most) {
      let count = 0;
      for await (const card of this.board.cards({ board: this.boardId, columns: this.columns, limit: this.limit })) {
        if (!this.isRelevant(card)) continue;
        this.$emit(card, this.meta(card));
        count += 1;
        if (count === most) break;
      }
      this.db.set("count", (this.db.get("count") ?? 0) + count);
    },
  },
  async run() {
    await this.emitCards(Infinity);
  },
};
