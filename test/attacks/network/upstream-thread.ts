/** A thread with every hostile upstream, each at a port of its own: what they take is not measured with what they meet. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createRawServer } from "node:net";
import { parentPort } from "node:worker_threads";

import { upstreams } from "./upstreams.ts";

const ports: Record<string, number> = {};
for (const { id, answer, raw } of upstreams) {
  const server = raw
    ? createRawServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => raw(socket));
      })
    : createServer((request, response) => {
        response.on("error", () => undefined);
        request.resume();
        answer?.(response, request);
      });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ports[id] = (server.address() as AddressInfo).port;
}
parentPort?.postMessage(ports);
