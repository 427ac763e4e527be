import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { messages } from "@x/runtime";

import { type Answer, discardStream, isBodiless, toResponse } from "./answer.ts";
import type { App } from "./app.ts";
import { refusal } from "./failure.ts";
import { refuseBrokenRequests } from "./socket.ts";

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** How slow clients may be. */
  readonly limits?: Partial<ClientLimits>;
}

/** What a client may take, in milliseconds and bytes. */
export interface ClientLimits {
  /** For sending a request's header; default 20 000. */
  readonly headersMs: number;
  /** For sending a whole request; a run may take longer to answer. Default 60 000. */
  readonly requestMs: number;
  /** For being silent between two requests; default 10 000. */
  readonly keepAliveMs: number;
  /** For taking nothing of a stream that has something for it; default 60 000. */
  readonly stallMs: number;
  /** How often connections are looked at; default 5 000. */
  readonly checkMs: number;
  /** Largest header of a request; default 16 KiB. */
  readonly headerBytes: number;
}

/** A server that accepts requests. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Base of its URLs, without a trailing slash. */
  readonly url: string;
  /** Stops accepting, lets requests under way finish for at most `drainMs` (default 10 000). */
  close(options?: { drainMs?: number }): Promise<void>;
}

const defaultLimits: ClientLimits = {
  headersMs: 20_000,
  requestMs: 60_000,
  keepAliveMs: 10_000,
  stallMs: 60_000,
  checkMs: 5_000,
  headerBytes: 16 * 1024,
};

/** Sends a stream as fast as the client takes it; a client that leaves cancels it, one that stalls is cut. */
function sendStream(outgoing: ServerResponse, body: ReadableStream<Uint8Array>, stallMs: number): void {
  // Nobody else can use the connection, and it ends with the stream.
  outgoing.setHeader("connection", "close");
  outgoing.setTimeout(stallMs, () => {
    if (outgoing.writableLength > 0) outgoing.destroy();
  });
  outgoing.flushHeaders();
  // A client that leaves is no error; a stream that breaks has told why already.
  pipeline(Readable.fromWeb(body), outgoing).catch(() => undefined);
}

interface Sending {
  readonly method: string;
  readonly draining: boolean;
  readonly stallMs: number;
}

function write(outgoing: ServerResponse, answer: Answer, { method, draining, stallMs }: Sending): void {
  if (outgoing.destroyed || outgoing.headersSent) {
    discardStream(answer);
    return;
  }
  const { status, headers, body, stream } = answer;
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
  for (const [name, list] of values) outgoing.setHeader(name, list.length === 1 ? (list[0] ?? "") : list);
  if (draining) outgoing.setHeader("connection", "close");
  outgoing.statusCode = status;
  if (stream && !isBodiless(method, status)) {
    sendStream(outgoing, stream, stallMs);
    return;
  }
  if (body === null || isBodiless("GET", status)) {
    discardStream(answer);
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

/** Node keeps the first; another server on the way may have looked at the second (RFC 9112, 3.2). */
const repeatsHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === "host").length > 1;

const twoHosts = (): Answer =>
  refusal(400, "malformed_request", messages.malformed_request("it has more than one Host header"));

function urlOf(server: Server, host: string): { port: number; url: string } {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

/** Serves an app over HTTP; resolves when connections are accepted. */
export async function listen(app: App, options: ListenOptions = {}): Promise<Listening> {
  const { host = "127.0.0.1", port = 0 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let draining = false;

  const handle = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const client = { clientIp: incoming.socket.remoteAddress ?? "", rawHeaders: incoming.rawHeaders };
      const answer = repeatsHost(incoming) ? twoHosts() : await app.answer(request, client);
      const sending = { method: request.method, draining, stallMs: limits.stallMs };
      try {
        write(outgoing, answer, sending);
      } catch {
        discardStream(answer);
        // A component's header that Node refuses to send.
        for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
        write(outgoing, refusal(500, "internal", messages.internal()), sending);
      }
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => toResponse("GET", unreadable(error)),
    },
  );

  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false,
    },
    handle,
  );
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
