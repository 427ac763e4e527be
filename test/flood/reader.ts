import { counted, deploy, openUnread, send } from "./client.ts";
import type { Flood } from "./contract.ts";

const large = `export default { name: "Large", version: "1", props: { http: "$.interface.http" },
  run() { const text = "x".repeat(5_900_000); for (let n = 0; n < 5; n++) this.$emit({ n, text }); } };`;
const answering = `export default { name: "Answering", version: "1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run() { this.http.respond({ status: 200, body: "x".repeat(4 * 1024 * 1024) }); } };`;

/** Clients that request as much as allowed and read nothing. */
export const reader: Flood = {
  name: "reader",
  about: "unread lists of events of 6 MB, unread streams with replay, unread answers of endpoints",
  async start(target) {
    const { id, endpoint: emit = "" } = await deploy(target, large);
    for (let run = 0; run < 4; run += 1) await send(target, "POST", `/sources/${id}/run`, { event: {} });
    await (await fetch(emit, { method: "POST" })).text();
    const { endpoint = "" } = await deploy(target, answering);
    const { pathname } = new URL(endpoint);
    const get = (path: string): string =>
      `GET /v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${target.apiKey}\r\n\r\n`;
    const stops = [
      openUnread(counted(target, 30), target.url, () => get(`/sources/${id}/event_summaries?expand=event&limit=100`)),
      openUnread(counted(target, 40), target.url, () => get(`/sources/${id}/sse?replay=100`)),
      openUnread(
        counted(target, 60),
        target.url,
        () => `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`,
      ),
    ];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  },
};
