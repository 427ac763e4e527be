import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { messages } from "@x/runtime";

import { type Answer, discardStream, isBodiless, toResponse } from "./answer.ts";
import type { App } from "./app.ts";
import { refusal } from "./failure.ts";
import type { ClientInfo } from "./ingress.ts";

/** Answers a request of Node's HTTP server; never throws. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface NodeListenerOptions {
  /** Milliseconds that a client may take nothing of a stream that has something for it; default 60 000. */
  readonly stallMs?: number;
}

/** What is known of a client beside its request, as `app.fetch` takes it. */
export function clientOf(incoming: IncomingMessage): ClientInfo {
  const { socket, rawHeaders } = incoming;
  // Express and Connect keep it when they take a prefix off.
  const original = "originalUrl" in incoming && typeof incoming.originalUrl === "string" ? incoming.originalUrl : "";
  return {
    clientIp: socket.remoteAddress ?? "",
    rawHeaders,
    ...(original.startsWith("/") && { originalUrl: original }),
  };
}

/** How long a client may take nothing of a stream, in milliseconds. */
export const defaultStallMs = 60_000;

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

/** Reading the URL would leave them out: whoever let the path through, such as a proxy, saw another one. */
const dotSegment = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;
const hasDotSegment = ({ url = "" }: IncomingMessage): boolean => dotSegment.test(url.split(/[?#]/, 1)[0] ?? "");

const dotted = (): Answer => refusal(404, "not_found", 'This path does not exist: none has a segment "." or "..".');

/** A body parser that ran before has taken the bytes, and what it made of them is not what was sent. */
function isBodyGone(incoming: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": coding } = incoming.headers;
  const isEmpty = length === "0" && coding === undefined;
  return !isEmpty && incoming.readableDidRead && !("rawBody" in incoming && incoming.rawBody instanceof Buffer);
}

const bodyGone = (): Answer =>
  refusal(
    500,
    "internal",
    "The body was read before it came here: mount this before body parsers, or let them keep its bytes in request.rawBody.",
  );

/** The listener; `isDraining` tells when connections shall end with their answers. */
export function createNodeListener(app: App, stallMs: number, isDraining: () => boolean): NodeListener {
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const answer = repeatsHost(incoming)
        ? twoHosts()
        : hasDotSegment(incoming)
          ? dotted()
          : isBodyGone(incoming)
            ? bodyGone()
            : await app.answer(request, clientOf(incoming));
      const sending = { method: request.method, draining: isDraining(), stallMs };
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
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/**
 * The app for a Node server that is there already: `express().use("/x", toNodeListener(app))`, or called from a handler of
 * `node:http` for paths below a prefix that `createApp` was told as `mountPath`.
 */
export function toNodeListener(app: App, { stallMs = defaultStallMs }: NodeListenerOptions = {}): NodeListener {
  return createNodeListener(app, stallMs, () => false);
}
