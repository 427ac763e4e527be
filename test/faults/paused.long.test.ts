import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ask, killAll, type ServiceChild, startService } from "./service.child.ts";

const timeoutMs = 2_000;
const folder = mkdtempSync(join(tmpdir(), "x-paused-"));
const asked: PromiseWithResolvers<ServerResponse>[] = [];
const upstream = createServer((_request, response) => asked.shift()?.resolve(response));
let service: ServiceChild;

beforeAll(async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  service = await startService(folder, { args: ["--run-timeout", `${timeoutMs}ms`, "--network", "allow-private"] });
});
afterAll(async () => {
  upstream.close();
  await killAll();
  rmSync(folder, { recursive: true });
});

interface Deployed {
  readonly data: { readonly id: string };
}

/** What a run is doing while its process is stopped. All of them end at once afterwards. */
test.each([
  ["waits for an answer", `const answer = await fetch(url); this.$emit(await answer.text());`],
  ["waits for a timer", `void fetch(url); await new Promise((done) => setTimeout(done, 1_000)); this.$emit("late");`],
  ["computes", `void fetch(url); for (const until = Date.now() + 1_000; Date.now() < until;); this.$emit("late");`],
])("a run that %s while its process is stopped for longer than its timeout goes on", async (_name, work) => {
  const { port } = upstream.address() as AddressInfo;
  const code = `export default { name: "Paused", version: "1", async run() { const url = "http://127.0.0.1:${port}/"; ${work} } }`;
  const { data } = await ask<Deployed>(service.url, "POST", "/sources", { component_code: code });
  const request = Promise.withResolvers<ServerResponse>();
  asked.push(request);
  const ran = ask<{ data: unknown }>(service.url, "POST", `/sources/${data.id}/run`, { event: {} });
  const response = await request.promise;
  service.process.kill("SIGSTOP");
  // The pause itself.
  await pass(2 * timeoutMs);
  service.process.kill("SIGCONT");
  response.end("late");
  expect(await ran).toMatchObject({ data: { status: "ok", emitted: [{}] } });
});

test("a run that takes longer than its timeout still times out", async () => {
  const code = `export default { name: "Slow", version: "1", run() { for (;;); } }`;
  const { data } = await ask<Deployed>(service.url, "POST", "/sources", { component_code: code });
  const ran = await ask<{ data: unknown }>(service.url, "POST", `/sources/${data.id}/run`, { event: {} });
  expect(ran).toMatchObject({ data: { status: "timeout" } });
});
