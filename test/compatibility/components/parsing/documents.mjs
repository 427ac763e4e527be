import * as yaml from "js-yaml";
import { parse, stringify } from "yaml";

export default {
  name: "Documents",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body }) {
    this.$emit(parse(body));
    this.$emit(yaml.load(body));
    this.$emit({
      text: stringify({ a: [1, { b: "ü: x" }], c: null, d: "two\nlines" }),
      dumped: yaml.dump({ on: true, n: "1" }),
    });
    for (const read of [parse, yaml.load]) {
      try {
        read("a: [1, 2");
      } catch ({ name, message }) {
        this.$emit({ name, message: message.split("\n")[0] });
      }
    }
  },
};
