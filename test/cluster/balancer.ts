import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** How often something happened at the balancer. */
export interface BalancerCounts {
  /** Nobody listened; the next node was asked. */
  refused: number;
  /** Answered 503 with Retry-After; asked again. */
  busy: number;
  /** No answer in time, or the connection broke; asked again where that is harmless. */
  broken: number;
}

/** Round-robin over the nodes, as simple as a balancer can be that people use. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  readonly counts: BalancerCounts;
  /** Where a node listens now. */
  point(node: number, port: number | undefined): void;
}

/** A header that numbers the attempts of one request, for the components. */
export const attemptHeader = "x-attempt";

const healthEveryMs = 250;
const healthTimeoutMs = 1_000;
/** Header of an answer; afterwards another node is asked. */
const answerTimeoutMs = 4_000;
const giveUpMs = 30_000;
const retryMs = 100;

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

type Outcome = "done" | "refused" | "busy" | "broken";

interface Target {
  port: number | undefined;
  healthy: boolean;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly outgoing: ServerResponse;
  /** Streams have no limit of time for their header, because they begin at once. */
  readonly mayRepeat: boolean;
}

/** One attempt at one node. */
function attempt({ incoming, body, outgoing, mayRepeat }: Exchange, port: number, number: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const sent = request({
      host: "127.0.0.1",
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, host: incoming.headers.host, connection: "close", [attemptHeader]: String(number) },
      agent: false,
    });
    const limit = mayRepeat
      ? setTimeout(() => sent.destroy(new Error("no answer in time")), answerTimeoutMs)
      : undefined;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(limit);
      if (outgoing.headersSent) outgoing.destroy();
      resolve(outgoing.headersSent ? "done" : error.code === "ECONNREFUSED" ? "refused" : "broken");
    });
    sent.on("response", (answer) => {
      clearTimeout(limit);
      if (answer.statusCode === 503 && answer.headers["retry-after"] !== undefined && mayRepeat) {
        answer.resume();
        return resolve("busy");
      }
      const { connection: ___, "transfer-encoding": ____, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answered);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
      answer.on("aborted", () => outgoing.destroy());
      outgoing.on("close", () => {
        sent.destroy();
        resolve("done");
      });
    });
    sent.end(body);
  });
}

/** Starts a balancer for this number of nodes, none of which listens yet. */
export async function startBalancer(nodes: number): Promise<Balancer> {
  const targets: Target[] = Array.from({ length: nodes }, () => ({ port: undefined, healthy: false }));
  const counts: BalancerCounts = { refused: 0, busy: 0, broken: 0 };
  let turn = 0;
  const next = (): number | undefined => {
    for (let tried = 0; tried < nodes; tried += 1) {
      const target = targets[turn++ % nodes];
      if (target?.healthy && target.port !== undefined) return target.port;
    }
    return undefined;
  };

  async function forward(exchange: Exchange): Promise<void> {
    const { outgoing, mayRepeat } = exchange;
    const until = performance.now() + giveUpMs;
    for (let number = 1; performance.now() < until; number += 1) {
      const port = next();
      const outcome = port === undefined ? "refused" : await attempt(exchange, port, number);
      if (outcome === "done") return;
      counts[outcome] += 1;
      if (outcome === "broken" && !mayRepeat) break;
      if (port === undefined || outcome === "busy") await pause(retryMs);
    }
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  }

  const server = createServer((incoming, outgoing) => {
    // What is sent to an endpoint may be repeated: its senders would do so, too.
    const mayRepeat =
      incoming.url?.startsWith("/in/") || (incoming.method === "GET" && !/\/sse/.test(incoming.url ?? ""));
    void readBody(incoming).then(
      (body) => forward({ incoming, body, outgoing, mayRepeat }),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const checking = new AbortController();
  const check = async (target: Target): Promise<void> => {
    while (!checking.signal.aborted) {
      const { port } = target;
      const signal = AbortSignal.timeout(healthTimeoutMs);
      const healthy =
        port !== undefined &&
        (await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).then(
          async (answer) => (await answer.text(), answer.ok),
          () => false,
        ));
      if (port === target.port) target.healthy = healthy;
      await pause(healthEveryMs, undefined, { signal: checking.signal }).catch(() => undefined);
    }
  };
  const checks = Promise.all(targets.map(check));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    point(node, port) {
      const target = targets[node];
      if (target) Object.assign(target, { port, healthy: port !== undefined });
    },
    async [Symbol.asyncDispose]() {
      checking.abort();
      await checks;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
