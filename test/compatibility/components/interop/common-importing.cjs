const compiled = require("./compiled.cjs");

module.exports = {
  name: "Common importing",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const [later, { nanoid }, own] = await Promise.all([
      import("./compiled.cjs"),
      import("nanoid"),
      import("./words.mjs"),
    ]);
    this.$emit({
      required: Object.keys(compiled),
      imported: [typeof later.default, typeof later.default.default, later.version],
      id: nanoid().length,
      own: own.default(["b", "a"]),
    });
  },
};
