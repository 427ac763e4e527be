import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { messages } from "@x/runtime";

import { type Answer, isBodiless, toResponse } from "./answer.ts";
import type { App } from "./app.ts";
import { refusal } from "./failure.ts";
import { refuseBrokenRequests } from "./socket.ts";

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
}

/** A server that accepts requests. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Base of its URLs, without a trailing slash. */
  readonly url: string;
  /** Stops accepting, lets requests under way finish for at most `drainMs` (default 10 000). */
  close(options?: { drainMs?: number }): Promise<void>;
}

const timeouts = {
  headersTimeout: 20_000,
  // For receiving a request; a run may take longer to answer.
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
};
const headerBytes = 16 * 1024;

function write(outgoing: ServerResponse, method: string, answer: Answer, draining: boolean): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const { status, headers, body } = answer;
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
  for (const [name, list] of values) outgoing.setHeader(name, list.length === 1 ? (list[0] ?? "") : list);
  if (draining) outgoing.setHeader("connection", "close");
  outgoing.statusCode = status;
  if (body === null || isBodiless("GET", status)) {
    outgoing.end();
    return;
  }
  if (method !== "HEAD" || !values.has("content-length")) {
    outgoing.setHeader("content-length", typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);
  }
  outgoing.end(body);
}

function unreadable(error: unknown): Answer {
  return error instanceof RequestError
    ? refusal(400, "malformed_request", messages.malformed_request("its URL or Host header cannot be read"))
    : refusal(500, "internal", messages.internal());
}

function urlOf(server: Server, host: string): { port: number; url: string } {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

/** Serves an app over HTTP; resolves when connections are accepted. */
export async function listen(app: App, options: ListenOptions = {}): Promise<Listening> {
  const { host = "127.0.0.1", port = 0 } = options;
  let draining = false;

  const handle = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const client = { clientIp: incoming.socket.remoteAddress ?? "", rawHeaders: incoming.rawHeaders };
      const answer = await app.answer(request, client);
      try {
        write(outgoing, request.method, answer, draining);
      } catch {
        // A component's header that Node refuses to send.
        for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
        write(outgoing, request.method, refusal(500, "internal", messages.internal()), draining);
      }
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => toResponse("GET", unreadable(error)),
    },
  );

  const server = createServer({ ...timeouts, maxHeaderSize: headerBytes, requireHostHeader: false }, handle);
  refuseBrokenRequests(server);
  server.listen(port, host);
  await once(server, "listening");

  async function close({ drainMs = 10_000 }: { drainMs?: number } = {}): Promise<void> {
    if (draining) return;
    draining = true;
    app.drain();
    const closed = once(server, "close");
    server.close();
    server.closeIdleConnections();
    // The last word when a client neither reads nor leaves; real time, because sockets live in it.
    const lastWord = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearTimeout(lastWord);
  }
  return { ...urlOf(server, host), close, [Symbol.asyncDispose]: () => close() };
}
