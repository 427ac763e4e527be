import client, * as all from "./compiled.cjs";
import { version } from "./compiled.cjs";

export default {
  name: "Default of compiled",
  key: "interop-default-of-compiled",
  version: "0.0.1",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  async run() {
    const later = await import("./compiled.cjs");
    this.$emit({
      kinds: [typeof client, typeof client.default, typeof all.default.default, typeof later.default.default],
      region: new client.default("eu").region,
      version,
      same: later.default === client,
    });
  },
};
