import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setImmediate } from "node:timers/promises";

import { checkOptions, rule, type Rules } from "@x/runtime";

import type { App } from "./app.ts";
import { createNodeListener, defaultStallMs } from "./node-listener.ts";
import { createPendingAnswers } from "./pending-answers.ts";
import { endsUnusedSockets, refuseBrokenRequests } from "./socket.ts";

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
  /** For taking nothing of an answer that has something for it; default 30 000. */
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
  /** Stops accepting, lets requests under way finish for at most `drainMs` (default 10 000); those that have not get a 503. */
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

/** Turns of the event loop in which what has reached this machine is accepted and read: it would be reset otherwise. */
const arrivingTurns = 3;

/** For taking a 503 when the time is over, in milliseconds. */
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

/** Serves an app over HTTP; resolves when connections are accepted. Rejects with `invalid_options`, or with Node's own error, such as `EADDRINUSE`. */
export async function listen(app: App, options: ListenOptions = {}): Promise<Listening> {
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
    createNodeListener(app, { stallMs: limits.stallMs, isDraining: () => closed !== undefined, pending }),
  );
  refuseBrokenRequests(server);
  const endUnusedSockets = endsUnusedSockets(server);
  server.listen(port, host);
  await once(server, "listening");

  async function end(drainMs: number): Promise<void> {
    app.drain();
    for (let turn = 0; turn < arrivingTurns; turn += 1) await setImmediate();
    const ended = once(server, "close");
    server.close();
    server.closeIdleConnections();
    // Node takes them for busy, and would wait for them.
    endUnusedSockets();
    // Real time, because sockets live in it. The last word is for clients that neither read nor leave.
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
