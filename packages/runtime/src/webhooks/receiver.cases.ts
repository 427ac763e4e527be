import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One received request. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers a request; `nth` counts the requests of its path from 1. */
export type Behaviour = (response: ServerResponse, request: Received, nth: number) => void;

/** A receiver on loopback; each path has a behaviour, other paths answer 204. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  on(path: string, behaviour: Behaviour): string;
  /** Bodies received on a path, in order. */
  bodies(path: string): string[];
  /** Resolves when this many requests have been received in all. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

export const answer =
  (status: number, headers: { [name: string]: string } = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end("ok");
  };
/** Never answers. */
export const hang: Behaviour = () => undefined;
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};
/** Answers 200, then never ends the body. */
export const endlessBody: Behaviour = (response) => {
  response.writeHead(200).write("a");
};
/** Answers 200 with a body of 8 MiB. */
export const hugeBody: Behaviour = (response) => {
  response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024, 1));
};

export async function startReceiver(): Promise<Receiver> {
  const behaviours = new Map<string, Behaviour>();
  const received: Received[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    void readText(request).then(
      (body) => {
        const path = request.url ?? "";
        const entry = { path, headers: request.headers, body };
        received.push(entry);
        const nth = received.filter((each) => each.path === path).length;
        (behaviours.get(path) ?? answer(204))(response, entry, nth);
        for (const each of waiting) if (received.length >= each.count) each.resolve();
        waiting = waiting.filter(({ count }) => received.length < count);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    on(path, behaviour) {
      behaviours.set(path, behaviour);
      return url + path;
    },
    bodies: (path) => received.filter((each) => each.path === path).map(({ body }) => body),
    reached: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
