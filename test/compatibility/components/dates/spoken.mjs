import * as chrono from "chrono-node";
import ms from "ms";

const reference = new Date("2026-06-15T12:00:00Z");

export default {
  name: "Spoken",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body }) {
    for (const text of body.texts) {
      const [found] = chrono.parse(text, { instant: reference, timezone: "UTC" });
      this.$emit({ text, start: found?.start.date().toISOString() ?? null, index: found?.index ?? -1 });
    }
    this.$emit({ long: ms("2 days"), short: ms(90_000), words: ms(90_000, { long: true }) });
  },
};
