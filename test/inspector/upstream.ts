import type { PlainReply, PlainRequest } from "@x/runtime";

const reply = (status: number, body: unknown): PlainReply => ({
  status,
  headers: [
    ["content-type", "application/json"],
    ["x-request-id", "req-7f3a"],
  ],
  body: Buffer.from(JSON.stringify(body)),
});

/** The upstreams of all components: a shop with orders, and whatever else answers 404. */
export function upstream({ url }: PlainRequest): Promise<PlainReply> {
  const { host, pathname, searchParams } = new URL(url);
  if (host === "code.test") {
    const body = Buffer.from('export default { name: "At a URL", version: "1.0.0", run() {} };');
    return Promise.resolve({ status: 200, headers: [["content-type", "text/javascript"]], body });
  }
  if (pathname === "/orders") {
    const items = [
      { id: "A-1", total: 12, buyer: "Ada" },
      { id: "A-2", total: 30, buyer: "Grace" },
    ];
    return Promise.resolve(reply(200, { page: searchParams.get("page"), items }));
  }
  if (pathname === "/rates") return Promise.resolve(reply(200, { EUR: 1, USD: 1.16 }));
  return Promise.resolve(reply(404, { error: "no such thing" }));
}
