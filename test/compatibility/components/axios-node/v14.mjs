import axios from "axios__14";

import answers from "./answers.mjs";
import bodies from "./bodies.mjs";
import clients from "./clients.mjs";
import failures from "./failures.mjs";
import redirects from "./redirects.mjs";
import settings from "./settings.mjs";
import streams from "./streams.mjs";
import unreachable from "./unreachable.mjs";

const topics = { answers, bodies, clients, failures, redirects, settings, streams, unreachable };

/** axios 1.4, asked for everything that components ask of it. */
export default {
  name: "axios-v14",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } }, topic: "string" },
  async run() {
    this.$emit(await topics[this.topic](axios));
  },
};
