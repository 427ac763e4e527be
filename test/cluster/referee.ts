import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One call of a component, as far as its requests show it; it may never be committed. */
export interface Run {
  readonly number: number;
  readonly source: string;
  readonly node: number;
  readonly beganAt: number;
  endedAt: number | undefined;
}

/** A run that began before another run of the same source had ended. */
export interface Overlap {
  readonly earlier: Run;
  readonly later: Run;
}

/** What webhooks received, in the order of its arrival. */
export interface Received {
  readonly webhook: string;
  readonly source: string;
  readonly n: number;
}

/** Answers the components and receives the webhooks of all nodes; knows from which node a request comes. */
export interface Referee extends AsyncDisposable {
  /** The origin that components of a node send their requests to; webhooks may go to that of any node. */
  upstream(node: number): string;
  readonly runs: readonly Run[];
  readonly overlaps: readonly Overlap[];
  readonly received: readonly Received[];
  /** The process of this node begins. */
  started(node: number): void;
  /**
   * The process of this node has ended, and the runs that were under way with it. What it had sent may arrive later; runs that
   * begin so never end, and are not counted.
   */
  ended(node: number): void;
  /** The node that ran the source last. */
  ownerOf(source: string): number | undefined;
  /** Resolves when a run of each of these sources that begins from now on has ended. */
  progress(sources: readonly string[]): Promise<void>;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

interface Waiter {
  readonly from: number;
  readonly open: Set<string>;
  readonly resolve: () => void;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

/** Starts a referee for this number of nodes. */
export async function startReferee(nodes: number): Promise<Referee> {
  const runs: Run[] = [];
  const overlaps: Overlap[] = [];
  const received: Received[] = [];
  const open = new Map<string, Set<Run>>();
  const owners = new Map<string, number>();
  const gone = new Set<number>();
  let waiters: Waiter[] = [];

  const openOf = (source: string): Set<Run> => {
    const known = open.get(source) ?? new Set();
    open.set(source, known);
    return known;
  };

  function begin(source: string, node: number): number {
    const run: Run = {
      number: runs.length,
      source,
      node,
      beganAt: performance.now(),
      endedAt: undefined,
    };
    const others = openOf(source);
    for (const earlier of others) overlaps.push({ earlier, later: run });
    runs.push(run);
    others.add(run);
    owners.set(source, node);
    return run.number;
  }

  function end(number: number): void {
    const run = runs[number];
    if (!run || run.endedAt !== undefined) return;
    run.endedAt = performance.now();
    openOf(run.source).delete(run);
    for (const { from, open: left, resolve } of waiters) {
      if (run.beganAt >= from && left.delete(run.source) && left.size === 0) resolve();
    }
    waiters = waiters.filter(({ open: left }) => left.size > 0);
  }

  async function answer(incoming: IncomingMessage, node: number): Promise<string> {
    const url = new URL(String(incoming.headers["x-original-url"] ?? `http://none${incoming.url}`));
    if (url.pathname === "/begin") {
      if (gone.has(node)) throw new Error("Nobody waits for the answer");
      return JSON.stringify({ run: begin(url.searchParams.get("source") ?? "", node) });
    }
    if (url.pathname === "/end") end(Number(url.searchParams.get("run")));
    else {
      const { label, n } = JSON.parse(await readText(incoming)) as { label: string; n: number };
      received.push({ webhook: url.pathname.slice(1), source: label, n });
    }
    return "{}";
  }

  const servers: Server[] = [];
  const urls: string[] = [];
  for (let node = 0; node < nodes; node += 1) {
    const server = createServer((incoming, outgoing) => {
      answer(incoming, node).then(
        (text) => outgoing.writeHead(200, { "content-type": "application/json" }).end(text),
        () => outgoing.destroy(),
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  return {
    upstream: (node) => urls[node] ?? "",
    runs,
    overlaps,
    received,
    started: (node) => void gone.delete(node),
    ended(node) {
      gone.add(node);
      for (const of of open.values()) {
        for (const run of of) if (run.node === node) of.delete(run);
      }
    },
    ownerOf: (source) => owners.get(source),
    progress: (sources) =>
      new Promise((resolve) => {
        if (sources.length === 0) resolve();
        else waiters.push({ from: performance.now(), open: new Set(sources), resolve });
      }),
    [Symbol.asyncDispose]: () => closeAll(servers),
  };
}
