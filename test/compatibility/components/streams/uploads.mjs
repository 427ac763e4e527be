import busboy from "busboy";
import { Readable } from "node:stream";

export default {
  name: "Uploads",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ headers, bodyRaw }) {
    const parts = [];
    await new Promise((resolve, reject) => {
      const parser = busboy({ headers });
      parser.on("field", (name, value, { mimeType }) => parts.push({ name, value, mimeType }));
      parser.on("file", (name, stream, { filename, mimeType }) => {
        const chunks = [];
        stream.on("data", (chunk) => chunks.push(chunk));
        stream.on("end", () => parts.push({ name, filename, mimeType, text: Buffer.concat(chunks).toString() }));
      });
      parser.on("close", resolve);
      parser.on("error", reject);
      Readable.from([Buffer.from(bodyRaw)]).pipe(parser);
    }).catch(({ message }) => parts.push({ message }));
    this.$emit({ parts });
    this.http.respond({ status: 200, body: String(parts.length) });
  },
};
