import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The only way of one node to the database, which can be cut. */
export interface LinkProxy extends AsyncDisposable {
  readonly port: number;
  /** Drops every connection, with what is on its way, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
}

export async function startLinkProxy(target: { readonly host: string; readonly port: number }): Promise<LinkProxy> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(target);
    const drop = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", drop);
      socket.on("close", () => {
        sockets.delete(socket);
        drop();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
