import mondaySdk from "monday-sdk-js";

const monday = mondaySdk();

export default {
  name: "Monday items",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    monday: {
      type: "app",
      app: "monday",
      methods: {
        async request(query, variables) {
          monday.setToken(this.$auth.api_key);
          const { data, errors, error_message: message } = await monday.api(query, { variables });
          if (errors || message) throw new Error(message ?? errors[0].message);
          return data;
        },
      },
    },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    boardId: "integer",
  },
  async run() {
    const { items } = await this.monday.request("query ($board: ID!) { items(board: $board) { id name } }", {
      board: this.boardId,
    });
    items.forEach((item) => this.$emit(item, { id: item.id, summary: item.name }));
  },
};
