import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** When a connection ends: in the packet that says it is ready, or while the client takes leave. */
export type Ending = "ready" | "leaving";

/** A proxy before the server that ends a connection as a server that restarts does. */
export interface EndingProxy {
  readonly port: number;
  /** Ends one of the connections from now on: the one that follows `skipped` others. */
  endOne(ending: Ending, skipped: number): void;
  /** Whether it has ended. */
  hasEnded(): boolean;
  close(): Promise<void>;
}

/** A message of the protocol: its letter, its length and its body. */
function protocolMessage(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + body.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)]);
}

const ready = protocolMessage("Z", "I");
const terminate = protocolMessage("X", "");
const ended = protocolMessage("E", "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");

const endsWith = (data: Buffer, message: Buffer): boolean => data.subarray(-message.length).equals(message);

export async function startEndingProxy(target: { readonly host: string; readonly port: number }): Promise<EndingProxy> {
  let planned: { readonly ending: Ending; skipped: number } | undefined;
  let hasEnded = false;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
    const ending = planned?.skipped === 0 ? planned.ending : undefined;
    if (ending) planned = undefined;
    else if (planned) planned.skipped -= 1;
    const end = (...messages: readonly Buffer[]): void => {
      hasEnded = true;
      client.end(Buffer.concat(messages));
      upstream.end(terminate);
    };
    client.on("data", (data: Buffer) => {
      if (ending === "leaving" && endsWith(data, terminate)) end(ended);
      else upstream.write(data);
    });
    upstream.on("data", (data: Buffer) => {
      if (client.writableEnded) return;
      if (ending === "ready" && endsWith(data, ready)) end(data, ended);
      else client.write(data);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    endOne(ending, skipped) {
      planned = { ending, skipped };
      hasEnded = false;
    },
    hasEnded: () => hasEnded,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
