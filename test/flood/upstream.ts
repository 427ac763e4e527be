import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { counted, deploy, repeat, send } from "./client.ts";
import type { Flood } from "./contract.ts";

const source = (name: string, body: string): string =>
  `export default { name: "${name}", version: "1", props: { http: "$.interface.http" }, async run(event) { ${body} } };`;

/** Servers for components and webhooks that answer with too much, or never. */
export const upstream: Flood = {
  name: "upstream",
  about: "60 KB that inflate to 60 MB, answers that never come, bodies that are aborted, receivers that hang",
  async start(target) {
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
    const server = createServer((request, response) => {
      request.resume();
      if (request.url === "/bomb") response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
      else if (request.url === "/endless") {
        const more = (): void => {
          while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
        };
        response.on("drain", more);
        more();
      } // All others wait for ever.
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sources = await Promise.all(
      [
        source(
          "Bombs",
          `await Promise.allSettled(Array.from({ length: ${counted(target, 100)} }, () => fetch("${base}/bomb").then((r) => r.text())));`,
        ),
        source(
          "Forgotten bombs",
          `for (let n = 0; n < ${counted(target, 100)}; n++) fetch("${base}/bomb").catch(() => {});`,
        ),
        source("Endless", `await (await fetch("${base}/endless")).arrayBuffer();`),
        source("Hanging", `await Promise.allSettled(Array.from({ length: 100 }, () => fetch("${base}/never")));`),
        source(
          "Aborted",
          `const body = "x".repeat(1024 * 1024);
          for (let n = 0; n < ${counted(target, 2000)}; n++) {
            const control = new AbortController();
            fetch("${base}/never", { method: "POST", body, signal: control.signal }).catch(() => {});
            await null;
            control.abort();
          }`,
        ),
        source(
          "Names",
          `await Promise.allSettled(Array.from({ length: 50 }, (_, n) => fetch("http://n" + n + ".invalid/")));`,
        ),
        source("Emitting", `for (let n = 0; n < 100; n++) this.$emit({ n, text: "x".repeat(10_000) });`),
      ].map((code) => deploy(target, code)),
    );
    const emitting = sources.at(-1)?.id ?? "";
    for (let made = 0; made < counted(target, 20); made += 1) {
      const { text } = await send(target, "POST", "/webhooks", { url: `${base}/hook/${made}` });
      const { data } = JSON.parse(text) as { data?: { id: string } };
      if (data) await send(target, "POST", `/subscriptions?emitter_id=${emitting}&listener_id=${data.id}`);
    }
    const stop = repeat(sources.length, async (turn) => {
      const { endpoint: url = "" } = sources[turn % sources.length] ?? {};
      await (await fetch(url, { method: "POST", body: "{}" })).text();
      await new Promise((done) => setTimeout(done, 250));
    });
    return async () => {
      await stop();
      server.closeAllConnections();
      server.close();
    };
  },
};
