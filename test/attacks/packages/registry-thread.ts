/** A registry in a thread of its own, in which every package is hostile. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

import { hostileDocuments } from "./documents.ts";

const server = createServer((request, response) => {
  response.on("error", () => undefined);
  const name = decodeURIComponent(request.url ?? "").slice(1);
  const [found] = hostileDocuments
    .filter(({ id }) => name.startsWith(id))
    .toSorted((one, other) => other.id.length - one.id.length);
  if (found) found.answer(name, response, `http://${request.headers.host ?? ""}/`);
  else response.writeHead(404).end("{}");
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
