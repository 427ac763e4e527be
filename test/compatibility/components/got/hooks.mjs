import { pipeline } from "node:stream/promises";
import { Writable } from "node:stream";

import got from "got12";

export default {
  name: "Got hooks",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ body }) {
    const seen = [];
    const client = got.extend({
      retry: { limit: 0 },
      hooks: {
        beforeRequest: [(options) => void (options.headers["x-signed"] = `${options.method} ${options.url.pathname}`)],
        afterResponse: [(response) => (seen.push(response.statusCode), response)],
        beforeError: [(error) => Object.assign(error, { message: `told: ${error.message}` })],
      },
    });
    const form = await client.post("https://forms.example.com/send", { form: { name: body.name, list: "a b" } }).json();
    const text = await client("https://forms.example.com/text").text();
    const buffer = await client("https://forms.example.com/bytes").buffer();
    const chunks = [];
    const sink = new Writable({ write: (chunk, _, done) => (chunks.push(chunk), done()) });
    await pipeline(client.stream("https://forms.example.com/stream"), sink);
    const failed = await client("https://forms.example.com/broken")
      .json()
      .catch(({ name, code }) => ({ name, code }));
    const lost = await client("https://forms.example.com/lost").catch(({ name, code }) => ({ name, code }));
    this.http.respond({
      status: 200,
      body: {
        form,
        text,
        bytes: buffer.toString("hex"),
        streamed: Buffer.concat(chunks).toString(),
        failed,
        lost,
        seen,
      },
    });
  },
};
