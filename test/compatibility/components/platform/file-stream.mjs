import { getFileStream, getFileStreamAndMetadata } from "@pipedream/platform";

/** Reads a file that a URL names, as a stream. */
export default {
  name: "File stream",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run({ body }) {
    const chunks = [];
    for await (const chunk of await getFileStream(body.url)) chunks.push(chunk);
    const { stream, metadata } = await getFileStreamAndMetadata(body.url);
    stream.destroy();
    const { size, contentType, name } = metadata;
    this.$emit({ text: Buffer.concat(chunks).toString(), size, contentType, name });
    await getFileStream(`${body.url}.missing`);
  },
};
