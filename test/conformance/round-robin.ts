import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy that gives every request to the next of several servers. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
}

/** A connection carries one request only, so that the next one goes elsewhere; everything else passes byte for byte. */
const closeAfter = (chunk: Buffer): Buffer => {
  const text = chunk.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const head = text.slice(0, end).replace(/\r\nconnection: keep-alive(?=\r\n|$)/i, "\r\nconnection: close");
  return end < 0 ? chunk : Buffer.from(head + text.slice(end), "latin1");
};

/** Starts a proxy on loopback before servers on these ports. */
export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: "127.0.0.1", port: ports[turn++ % ports.length] ?? 0, allowHalfOpen: true });
    const drop = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", drop);
      socket.on("close", () => sockets.delete(socket));
    }
    client.once("data", (first: Buffer) => {
      upstream.write(closeAfter(first));
      client.pipe(upstream);
    });
    client.once("end", () => upstream.end());
    client.once("close", () => upstream.destroy());
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
