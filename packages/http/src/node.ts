import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setImmediate } from "node:timers/promises";

import { checkOptions, rule, type Rules } from "@x/runtime";

import type { Handler } from "./handler.ts";
import { createNodeListener, defaultStallMs } from "./node-listener.ts";
import { answerExpectations } from "./expect-header.ts";
import { createPendingAnswers } from "./pending-answers.ts";
import { endsUnusedSockets, refuseBrokenRequests } from "./socket.ts";

export interface ListenOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Limits for slow clients. */
  readonly limits?: Partial<ClientLimits>;
}

/** Limits for a client, in milliseconds and bytes. */
export interface ClientLimits {
  /** Time to send a request's header. Default: 20,000 ms. */
  readonly headersMs: number;
  /** Time to send a whole request; the answer may take longer. Default: 60,000 ms. */
  readonly requestMs: number;
  /** Idle time between two requests. Default: 10,000 ms. */
  readonly keepAliveMs: number;
  /** Time without reading anything of a waiting answer. Default: 30,000 ms. */
  readonly stallMs: number;
  /** Interval between checks of connections. Default: 5,000 ms. */
  readonly checkMs: number;
  /** Largest header of a request in bytes. Default: 16 KiB. */
  readonly headerBytes: number;
}

/** A server that accepts requests. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Stops accepting, and waits at most `drainMs` (default 10,000) for open requests; the others get a 503. */
  close(options?: { drainMs?: number }): Promise<void>;
}

const defaultLimits: ClientLimits = {
  headersMs: 20_000,
  requestMs: 60_000,
  keepAliveMs: 10_000,
  stallMs: defaultStallMs,
  checkMs: 5_000,
  headerBytes: 16 * 1024,
};

/** Turns of the event loop to accept and read connections that have already arrived; they would be reset otherwise. */
const arrivingTurns = 3;

/** Time to read the 503 after `drainMs`, in milliseconds. */
const lastWordMs = 500;

function urlOf(server: Server, host: string): { port: number; url: string } {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

const listenRules: Rules<ListenOptions> = {
  host: rule.text("a host name or address"),
  port: rule.of(
    "a port from 0 to 65535",
    (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  ),
  limits: rule.object(
    "an object of limits of clients",
    Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, rule.positive])),
  ),
};

/** Serves an app over HTTP; resolves when it accepts connections. Rejects with `invalid_options`, or Node's error, such as `EADDRINUSE`. */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listening> {
  checkOptions(options, listenRules);
  const { host = "127.0.0.1", port = 0 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let closed: Promise<void> | undefined;
  const pending = createPendingAnswers();

  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false,
    },
    createNodeListener(handler, { stallMs: limits.stallMs, isDraining: () => closed !== undefined, pending }),
  );
  // A connection that cannot be accepted, for want of memory or of a network: others can.
  server.on("error", () => undefined);
  refuseBrokenRequests(server);
  answerExpectations(server);
  const endUnusedSockets = endsUnusedSockets(server);
  server.listen(port, host);
  await once(server, "listening");

  async function end(drainMs: number): Promise<void> {
    handler.drain();
    for (let turn = 0; turn < arrivingTurns; turn += 1) await setImmediate();
    const ended = once(server, "close");
    server.close();
    server.closeIdleConnections();
    // Node considers them busy and would wait for them.
    endUnusedSockets();
    // Real time, because sockets need it. Then cuts clients that neither read nor leave.
    let lastWord: NodeJS.Timeout | undefined;
    const patience = setTimeout(() => {
      pending.giveUp();
      lastWord = setTimeout(() => server.closeAllConnections(), lastWordMs);
    }, drainMs);
    await ended;
    clearTimeout(patience);
    clearTimeout(lastWord);
  }
  const close = ({ drainMs = 10_000 } = {}): Promise<void> => (closed ??= end(drainMs));
  return { ...urlOf(server, host), close, [Symbol.asyncDispose]: () => close() };
}
