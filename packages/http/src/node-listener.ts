import type { IncomingMessage, ServerResponse } from "node:http";

import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { errorText } from "@x/runtime";

import { checkOptions, rule } from "@x/runtime";

import { type Answer, bodyBytes, bodyChunks, discard, isBodiless, isChunks, smallBytes, toResponse } from "./answer.ts";
import type { Handler } from "./handler.ts";
import { awaitsContinue } from "./expect-header.ts";
import { refusal } from "./failure.ts";
import type { ClientInfo } from "./handler.ts";
import { keptBody } from "./kept-body.ts";
import { createPendingAnswers, type PendingAnswers } from "./pending-answers.ts";
import { createSender, type Sender } from "./send.ts";
import { passUnread } from "./unread-request.ts";

/** Answers a request of Node's HTTP server; never throws. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface NodeListenerOptions {
  /** Milliseconds that a client may read nothing of its answer. Default: 30,000. */
  readonly stallMs?: number;
}

/** The client's facts for `app.fetch`. */
export function clientOf(incoming: IncomingMessage): ClientInfo {
  const { socket, rawHeaders, url, httpVersion } = incoming;
  // Set by Express and Connect when they remove a prefix.
  const body = keptBody(incoming);
  const original = "originalUrl" in incoming && typeof incoming.originalUrl === "string" ? incoming.originalUrl : "";
  return {
    clientIp: socket.remoteAddress ?? "",
    rawHeaders,
    ...(original.startsWith("/") ? { originalUrl: original, target: original } : url !== undefined && { target: url }),
    httpVersion,
    ...(body && { body }),
  };
}

/** How long a client may read nothing of its answer, in milliseconds. */
export const defaultStallMs = 30_000;

interface Sending {
  readonly method: string;
  readonly draining: boolean;
  readonly stallMs: number;
}

/** Sends a stream; it is cancelled when the client leaves. */
async function sendStream(outgoing: ServerResponse, body: ReadableStream<Uint8Array>, sender: Sender): Promise<void> {
  const reader = body.getReader();
  outgoing.once("close", () => void reader.cancel(new Error("The client left")).catch(() => undefined));
  outgoing.flushHeaders();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (!(await sender.send(part.value))) return;
    sender.end();
  } catch {
    // The cause is reported already. Destroy the connection: a body that ends normally would look complete.
    outgoing.destroy();
  }
}

/** Sends a body and releases the bytes of sent chunks. */
async function sendBody(answer: Answer, sender: Sender): Promise<void> {
  let left = bodyBytes(answer);
  for (const chunk of bodyChunks(answer)) {
    if (!(await sender.send(chunk))) return;
    left -= chunk.byteLength;
    answer.hold?.move(left);
  }
}

function writeHead(outgoing: ServerResponse, { status, headers, stream }: Answer, closes: boolean): void {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
  for (const [name, list] of values) outgoing.setHeader(name, list.length === 1 ? (list[0] ?? "") : list);
  // The connection of a stream serves nothing else, and closes with the stream. After an answer in place of a 100 nobody
  // knows whether the body follows.
  if (closes || stream) outgoing.setHeader("connection", "close");
  outgoing.statusCode = status;
}

/** Ends an answer after the rest of its request was received: closing earlier would lose the answer. */
async function endAfter(incoming: IncomingMessage, outgoing: ServerResponse, sender: Sender): Promise<void> {
  outgoing.flushHeaders();
  const isWhole = !awaitsContinue(incoming) && (await passUnread(incoming));
  sender.end();
  if (!isWhole) incoming.socket.destroySoon();
}

async function write(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
  { method, stallMs }: Sending,
): Promise<void> {
  const { status, body, stream, hold } = answer;
  const sender = createSender(outgoing, stallMs);
  outgoing.once("close", () => hold?.release());
  hold?.onEvict(() => outgoing.destroy());
  if (stream && !isBodiless(method, status)) return sendStream(outgoing, stream, sender);
  if (stream) discard(answer);
  const hasLength = body !== null && !isBodiless("GET", status);
  if (hasLength && (method !== "HEAD" || !outgoing.hasHeader("content-length")))
    outgoing.setHeader("content-length", bodyBytes(answer));
  const hasBody = hasLength && method !== "HEAD";
  const isSmall = !hasBody || bodyBytes(answer) <= smallBytes;
  if (isSmall && incoming.complete) {
    sender.end(hasBody && !isChunks(body) ? body : hasBody ? Buffer.concat(bodyChunks(answer)) : undefined);
    return;
  }
  if (hasBody) await sendBody(answer, sender);
  await endAfter(incoming, outgoing, sender);
}

/** Answers a request. Rejects when not even a refusal can be sent. */
async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
  sending: Sending,
): Promise<void> {
  if (outgoing.destroyed || outgoing.headersSent) {
    discard(answer);
    return;
  }
  try {
    writeHead(outgoing, answer, sending.draining || awaitsContinue(incoming));
    await write(incoming, outgoing, answer, sending);
  } catch {
    discard(answer);
    if (outgoing.headersSent) {
      outgoing.destroy();
      return;
    }
    // Node refuses a header of the component.
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    const failed = refusal(500, "internal", errorText("internal"));
    writeHead(outgoing, failed, sending.draining);
    await write(incoming, outgoing, failed, sending);
  }
}

function unreadable(error: unknown): Answer {
  return error instanceof RequestError
    ? refusal(400, "malformed_request", errorText("malformed_request", "its URL or Host header cannot be read"))
    : refusal(500, "internal", errorText("internal"));
}

/** Node uses the first one, but a proxy may have used the second (RFC 9112, 3.2). */
const repeatsHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === "host").length > 1;

const twoHosts = (): Answer =>
  refusal(400, "malformed_request", errorText("malformed_request", "it has more than one Host header"));

/** `new URL` resolves dot segments, so a proxy would have checked another path than the one that is served. */
const dotSegment = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;
const hasDotSegment = ({ url = "" }: IncomingMessage): boolean => dotSegment.test(url.split(/[?#]/, 1)[0] ?? "");

const dotted = (): Answer => refusal(404, "not_found", 'This path does not exist: none has a segment "." or "..".');

/** An earlier body parser has consumed the bytes. */
function isBodyGone(incoming: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": coding } = incoming.headers;
  const isEmpty = length === "0" && coding === undefined;
  return !isEmpty && incoming.readableDidRead && !keptBody(incoming);
}

const bodyGone = (): Answer => refusal(500, "body_already_read", errorText("body_already_read"));

/** HTTP/1.0, as health checks speak it, has no Host; some proxies send an empty one. */
const hasAuthority = ({ headers }: IncomingMessage): boolean =>
  Boolean(headers.host) || headers[":authority"] !== undefined;

/** The address that a connection was made to, as in a URL. */
function addressOf({ localAddress = "127.0.0.1", localPort = 80 }: IncomingMessage["socket"]): string {
  // A zone (fe80::1%eth0) cannot be part of a URL.
  const address = localAddress.split("%", 1)[0] ?? "";
  return `${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}

const headerPairs = ([name, value]: [string, string | string[] | undefined]): string[] =>
  [value ?? []].flat().flatMap((each) => [name, each]);

interface ListenerParts {
  readonly stallMs: number;
  /** True when connections must close after their answers. */
  readonly isDraining: () => boolean;
  readonly pending: PendingAnswers;
}

export function createNodeListener(handler: Handler, { stallMs, isDraining, pending }: ListenerParts): NodeListener {
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const answer = repeatsHost(incoming)
        ? twoHosts()
        : hasDotSegment(incoming)
          ? dotted()
          : isBodyGone(incoming)
            ? bodyGone()
            : await pending.wait(handler.answer(request, clientOf(incoming)));
      // Not awaited: the answer is sent even when its client reads slowly.
      const sending = { method: request.method, draining: isDraining(), stallMs };
      respond(incoming, outgoing, answer, sending).catch(() => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => toResponse("GET", unreadable(error)),
    },
  );
  return (incoming, outgoing) => {
    // Adapters of other event formats, such as serverless-http, fill `headers` alone.
    if (incoming.rawHeaders.length === 0) incoming.rawHeaders = Object.entries(incoming.headers).flatMap(headerPairs);
    // Not in rawHeaders: a component and the inspector's check of hosts see what was sent.
    if (!hasAuthority(incoming)) incoming.headers.host = addressOf(incoming.socket);
    void listener(incoming, outgoing);
  };
}

/**
 * The app for an existing Node server: `express().use("/x", toNodeListener(app))`, or called from a handler of `node:http` for
 * paths below the `mountPath` of `createApp`. Throws `invalid_options`.
 */
export function toNodeListener(handler: Handler, options: NodeListenerOptions = {}): NodeListener {
  checkOptions(options, { stallMs: rule.positive });
  const { stallMs = defaultStallMs } = options;
  return createNodeListener(handler, { stallMs, isDraining: () => false, pending: createPendingAnswers() });
}
