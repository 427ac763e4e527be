import { connect } from "node:net";

import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";
import { listen } from "../../http/src/node.ts";

const checks = ["/", "/healthz"].flatMap((path) =>
  ["OPTIONS", "HEAD", "GET"].flatMap((method) =>
    ["1.0", "1.1"].flatMap((version) => ["", "host: localhost\r\n"].map((host) => ({ path, method, version, host }))),
  ),
);

async function statusOf(port: number, head: string): Promise<number> {
  const socket = connect(port, "127.0.0.1").end(head);
  return Number(/^HTTP\/1\.1 (\d+) /.exec(String(Buffer.concat(await socket.toArray())))?.[1]);
}

test("S40 health checks with and without Host, by HTTP/1.0 and 1.1", async () => {
  await using runtime = await createRuntime({ engine: await testEngine() });
  await using server = await listen(createApp(runtime, { inspector: true }));
  for (const { path, method, version, host } of checks) {
    const isPageWithoutHost = path === "/" && method !== "OPTIONS" && host === "";
    const expected = isPageWithoutHost ? 403 : method === "OPTIONS" ? 204 : 200;
    const head = `${method} ${path} HTTP/${version}\r\n${host}connection: close\r\n\r\n`;
    expect([head, await statusOf(server.port, head)]).toEqual([head, expected]);
  }
});

test("OPTIONS of / and /healthz answers 503 while the service stops", async () => {
  await using runtime = await createRuntime({ engine: await testEngine() });
  const app = createApp(runtime);
  app.drain();
  for (const path of ["/", "/healthz"])
    expect((await app.fetch(new Request(`http://a${path}`, { method: "OPTIONS" }))).status).toBe(503);
});
