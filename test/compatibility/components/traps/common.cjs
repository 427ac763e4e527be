const { createHash } = require("crypto");
const { promisify } = require("util");

const wait = promisify(setTimeout);

module.exports = {
  name: "CommonJS",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    await wait(1);
    // Not awaited, as most do.
    this.http.respond({ status: 202, body: { got: event.body } });
    for (const ts of [3, "2026-01-01T00:00:00Z", NaN, undefined])
      this.$emit({ ts: String(ts) }, { id: createHash("md5").update(String(ts)).digest("hex") });
    const { $ } = event;
    this.$emit({ dollar: typeof $, buffer: Buffer.from("ü").toJSON(), env: Object.keys(process.env).includes("HOME") });
  },
};
