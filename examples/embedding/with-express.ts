import { once } from "node:events";

import { toNodeListener } from "@x/server";
import express from "express";

import { openLedger } from "./ledger.ts";

const [folder = ".x/ledger", port = "3000"] = process.argv.slice(2);
const ledger = await openLedger(folder, `http://127.0.0.1:${port}/events`);

const web = express();
// Before body parsers, because sources need the raw bytes.
web.use("/events", toNodeListener(ledger.app));
web.use(express.json());
web.get("/book", (_request, response) => void response.json(ledger.book()));
web.post("/reload", async (_request, response) => void response.send(await ledger.reload()));

const server = web.listen(Number(port), "127.0.0.1");

process.once("SIGTERM", () => {
  ledger.app.drain();
  server.close(() => void ledger.close());
});

await once(server, "listening");
process.stdout.write(`${ledger.endpoint}\n`);
