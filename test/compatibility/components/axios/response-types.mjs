import { createHash } from "node:crypto";

import axios from "axios";

/** One file in every form that axios gives. */
export default {
  name: "Response types",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ query }) {
    const url = `https://files.example.com/${query.name ?? "file"}`;
    const text = await axios.get(url, { responseType: "text", transformResponse: (data) => data });
    const bytes = await axios.get(url, { responseType: "arraybuffer" });
    const stream = await axios.get(url, { responseType: "stream" });
    const chunks = [];
    for await (const chunk of stream.data) chunks.push(Buffer.from(chunk));
    const whole = Buffer.concat(chunks);
    this.http.respond({
      status: 200,
      headers: { "content-type": "application/octet-stream" },
      body: whole.toString("base64", 0, 60),
    });
    this.$emit({
      text: text.data.length,
      bytes: Buffer.from(bytes.data).toString("hex", 0, 60),
      same: whole.equals(Buffer.from(bytes.data)),
      sha: createHash("sha256").update(whole).digest("hex"),
      type: stream.headers["content-type"],
    });
  },
};
