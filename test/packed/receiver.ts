import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery as it came. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of webhooks on loopback, which accepts everything. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Delivery[];
  /** Resolves when this many deliveries have come. */
  count(deliveries: number): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Delivery[] = [];
  const looks = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ headers, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(204).end();
      for (const look of looks) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    count: (deliveries) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length >= deliveries) resolve();
        };
        looks.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
