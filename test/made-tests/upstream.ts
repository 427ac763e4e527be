import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers of upstreams by host and path, in turn; the last one is repeated. Undefined breaks the connection. */
type Answers = { readonly [hostAndPath: string]: readonly (UpstreamAnswer | undefined)[] };

interface UpstreamAnswer {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** JSON, text or bytes. */
  readonly body?: unknown;
}

const encoded = (body: unknown): string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);

/** A loopback server for all upstreams, which reads from the header of a request whom it is for. */
export async function startUpstreams(answers: Answers): Promise<AsyncDisposable & { readonly url: string }> {
  const times = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const { host, pathname } = new URL(String(request.headers["x-original-url"]));
    const key = host + pathname;
    const list = answers[key] ?? [];
    const count = times.get(key) ?? 0;
    times.set(key, count + 1);
    const answer = list[Math.min(count, list.length - 1)];
    request.resume();
    if (!answer) return void request.socket.destroy();
    const { status = 200, headers = { "content-type": "application/json" }, body = {} } = answer;
    response.writeHead(status, headers).end(encoded(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
