import { once } from "node:events";

import { type HttpBindings, serve } from "@hono/node-server";
import { clientOf } from "@x/server";
import { Hono } from "hono";

import { openLedger } from "./ledger.ts";

const [folder = ".x/ledger", port = "3000"] = process.argv.slice(2);
const ledger = await openLedger(folder, `http://127.0.0.1:${port}/events`);

const web = new Hono<{ Bindings: HttpBindings }>();
// `ledger.app.fetch` takes any Web-standard request; the Node adapter adds the address of the client.
web.all("/events/*", (context) => ledger.app.fetch(context.req.raw, clientOf(context.env.incoming)));
web.get("/book", (context) => context.json(ledger.book()));
web.post("/reload", async (context) => context.text(await ledger.reload()));

const server = serve({ fetch: web.fetch, port: Number(port), hostname: "127.0.0.1" });

process.once("SIGTERM", () => {
  ledger.app.drain();
  server.close(() => void ledger.close());
});

await once(server, "listening");
process.stdout.write(`${ledger.endpoint}\n`);
