import fetch, { FetchError, Headers } from "node-fetch";

/** JSON, text, bytes and a stream by node-fetch. */
export default {
  name: "node-fetch",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  async run() {
    const headers = new Headers({ Accept: "application/json", "X-One": "1" });
    headers.append("X-One", "2");
    const listed = await fetch("https://api.example.com/list?q=a b&ü=1", { headers });
    const { status, statusText, ok, url } = listed;
    const items = await listed.json();
    const posted = await fetch("https://api.example.com/post", {
      method: "POST",
      body: new URLSearchParams({ a: "ä b" }),
    });
    const bytes = Buffer.from(await (await fetch("https://api.example.com/bytes")).arrayBuffer());
    const chunks = [];
    for await (const chunk of (await fetch("https://api.example.com/bytes")).body) chunks.push(Buffer.from(chunk));
    this.$emit({
      items,
      status,
      statusText,
      ok,
      url,
      kind: listed.headers.get("content-type"),
      text: await posted.text(),
    });
    this.$emit({ bytes: bytes.toString("hex"), same: Buffer.concat(chunks).equals(bytes) });
    const failed = await fetch("https://api.example.com/malformed")
      .then((answer) => answer.json())
      .catch((error) => error);
    this.$emit({ type: failed.type, own: failed instanceof FetchError });
    const missing = await fetch("https://api.example.com/missing");
    if (!missing.ok) throw new Error(`${missing.status} ${missing.statusText}: ${await missing.text()}`);
  },
};
