import common from "./common/polling.mjs";

const { emitCards, meta, ...rest } = common.methods;

export default {
  ...common,
  key: "board-moved-card",
  name: "Moved card",
  version: "0.0.2",
  dedupe: "unique",
  hooks: {},
  methods: {
    ...rest,
    emitCards,
    isRelevant({ id, column }) {
      const before = this.db.get(`column:${id}`);
      this.db.set(`column:${id}`, column);
      return before !== undefined && before !== column;
    },
    meta: (card) => ({ ...meta(card), id: `${card.id}-${card.column}` }),
  },
};
