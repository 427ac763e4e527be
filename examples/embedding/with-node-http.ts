import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { toNodeListener } from "@x/server";

import { openLedger } from "./ledger.ts";

const [folder = ".x/ledger", port = "3000"] = process.argv.slice(2);
const ledger = await openLedger(folder, `http://127.0.0.1:${port}/events`);
const events = toNodeListener(ledger.app);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/book") response.end(JSON.stringify(ledger.book()));
  else if (request.url === "/reload" && request.method === "POST") response.end(await ledger.reload());
  else response.writeHead(404).end();
}

const server = createServer((request, response) => {
  if (request.url?.startsWith("/events/")) events(request, response);
  else answer(request, response).catch((error: unknown) => response.destroy(error as Error));
}).listen(Number(port), "127.0.0.1");

process.once("SIGTERM", () => {
  ledger.app.drain();
  server.close(() => void ledger.close());
});

await once(server, "listening");
process.stdout.write(`${ledger.endpoint}\n`);
