import common from "./common/polling.mjs";

export default {
  ...common,
  key: "board-new-card",
  name: "New card",
  version: "0.0.1",
  type: "source",
  dedupe: "unique",
};
