import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Receives the deliveries of webhooks: at `/good` all, at `/flaky` each at its second attempt, elsewhere none. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The numbers that each path accepted, with repetitions. */
  readonly accepted: ReadonlyMap<string, readonly number[]>;
  readonly refused: number;
}

async function readNumber(incoming: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  return (JSON.parse(Buffer.concat(chunks).toString("utf8")) as { n: number }).n;
}

/** `/flaky` refuses one of this many numbers at first; the second attempt is 5 s later. */
const flakyEvery = 25;

export async function startReceiver(): Promise<Receiver> {
  const accepted = new Map<string, number[]>([
    ["/good", []],
    ["/flaky", []],
  ]);
  const refusedOnce = new Set<number>();
  let refused = 0;
  const take = (path: string, n: number): boolean => {
    const list = accepted.get(path);
    if (path === "/flaky" && n % flakyEvery === 0 && !refusedOnce.delete(n)) {
      refusedOnce.add(n);
      return false;
    }
    list?.push(n);
    return list !== undefined;
  };
  const server = createServer((incoming, outgoing) => {
    readNumber(incoming).then(
      (n) => {
        const isTaken = take(incoming.url ?? "", n);
        if (!isTaken) refused += 1;
        outgoing.writeHead(isTaken ? 204 : 500).end();
      },
      () => outgoing.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    get refused() {
      return refused;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
