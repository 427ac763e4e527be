import { connect } from "node:net";

import { counted, deploy, repeat } from "./client.ts";
import type { Flood } from "./contract.ts";

const slow = `export default {
  name: "Slow", version: "1", props: { http: "$.interface.http" },
  async run() { await new Promise((done) => setTimeout(done, 5000)); },
};`;

/** A client that knows the URL of an endpoint, and has no key. */
export const outsider: Flood = {
  name: "outsider",
  about: "bodies of 512 KiB of NUL to a slow source, requests that never end, unknown paths",
  async start(target) {
    const { endpoint = "" } = await deploy(target, slow);
    const nul = Buffer.alloc(512 * 1024);
    const stops = [
      repeat(8, async () => {
        const response = await fetch(endpoint, { method: "POST", body: nul });
        await response.text();
      }),
      repeat(2, async (turn) => (await fetch(`${target.url}/in/nobody${turn}`, { method: "POST", body: "x" })).text()),
      // A body that sends one byte each 200 ms.
      repeat(counted(target, 100), async () => {
        const { hostname, port, pathname } = new URL(endpoint);
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined).resume();
        socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`);
        const drip = setInterval(() => socket.write("x"), 200);
        const limit = setTimeout(() => socket.destroy(), 10_000);
        await new Promise((done) => socket.once("close", done));
        clearInterval(drip);
        clearTimeout(limit);
      }),
    ];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  },
};
