import { Readable } from "node:stream";
import { chain } from "stream-chain";
import streamJson from "stream-json";
import pick from "stream-json/filters/pick.js";
import streamArray from "stream-json/streamers/stream-array.js";

export default {
  name: "JSON parts",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const { body } = await fetch("https://big.example.com/export.json");
    const parse = streamJson.parser ?? streamJson;
    const parts = chain([
      Readable.fromWeb(body),
      parse(),
      (pick.pick ?? pick)({ filter: "data.rows" }),
      (streamArray.streamArray ?? streamArray)(),
    ]);
    for await (const { key, value } of parts) this.$emit({ key, value });
  },
};
