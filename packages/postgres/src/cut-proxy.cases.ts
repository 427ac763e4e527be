import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy before the server whose connections a test cuts. */
export interface CutProxy {
  readonly port: number;
  /** Cuts every connection that the server answers on from now on, with the answer lost; until `pass`. */
  loseAnswers(): void;
  /** The same from the answer to this text on, which the server gets after `before`. */
  loseAnswersFrom(text: string, before?: () => Promise<void>): void;
  /** An answer was lost, or will be. */
  isLosing(): boolean;
  pass(): void;
  close(): Promise<void>;
}

export async function startCutProxy(target: { readonly host: string; readonly port: number }): Promise<CutProxy> {
  let isLosing = false;
  let firstLost: { readonly text: string; before(): Promise<void> } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", cut);
    }
    let isFirst = false;
    client.on("data", (data: Buffer) => {
      isFirst = firstLost !== undefined && data.includes(firstLost.text);
      if (!isFirst) return void upstream.write(data);
      client.pause();
      void firstLost?.before().then(() => {
        upstream.write(data);
        client.resume();
      });
    });
    upstream.on("data", (data) => {
      isLosing ||= isFirst;
      if (isLosing) cut();
      else client.write(data);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    loseAnswers: () => (isLosing = true),
    loseAnswersFrom: (text, before = () => Promise.resolve()) => (firstLost = { text, before }),
    isLosing: () => isLosing,
    pass() {
      isLosing = false;
      firstLost = undefined;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
