import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createEgress, type Egress } from "../../packages/runtime/src/network/egress.ts";
import { createPoster } from "../../packages/runtime/src/network/poster.ts";
import { OAuthFailure } from "../../packages/accounts/src/oauth/failure.ts";
import { createOAuthProtocol } from "../../packages/accounts/src/oauth/protocol.ts";
import type { Poster } from "../../packages/runtime/src/webhooks/contract.ts";
import { hostileServer } from "./complexity/token-answers.ts";
import { measureOnce, most } from "./complexity/measure.ts";
import { slowness } from "./complexity/slowness.ts";
import { upstreams } from "./network/upstreams.ts";

const megabyte = 1024 * 1024;
const maxGrowth = 256 * megabyte;
/** What an endless answer is cut off after. */
const timeoutMs = 500;
const never = new AbortController().signal;

let thread: Worker;
let ports: Readonly<Record<string, number>>;
let poster: Poster;
let egress: Egress;
beforeAll(async () => {
  thread = new Worker(new URL("network/upstream-thread.ts", import.meta.url));
  [ports] = (await once(thread, "message")) as [typeof ports];
  poster = createPoster({}, { deliveryTimeoutMs: timeoutMs, deliveryResponseBytes: 64 * 1024 });
  egress = createEgress(
    { mode: "allow-private" },
    { fetchTimeoutMs: timeoutMs, fetchBodyBytes: 64 * megabyte, fetchRedirects: 20 },
  );
});
afterAll(async () => {
  await Promise.all([poster.close(), egress.close()]);
  await thread.terminate();
});

/** Runs work twice, of which the first loads what it needs, and expects that the thread stays free and its memory small. */
async function expectFree(work: () => Promise<unknown>): Promise<void> {
  await work();
  const before = process.memoryUsage();
  const { peakMs } = await measureOnce(work);
  const after = process.memoryUsage();
  expect(peakMs).toBeLessThan(most.ms * slowness());
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(maxGrowth);
}

test.each(upstreams)("$id as the receiver of a webhook holds nothing", async ({ id }) => {
  const post = { url: `http://127.0.0.1:${ports[id] ?? 0}/`, headers: [], body: "{}" };
  let bytes = 0;
  await expectFree(() =>
    poster.post(post, never).then(
      (reply) => (bytes = reply.body.head.byteLength),
      (error: unknown) => expect(error).toMatchObject({ code: "network_failed" }),
    ),
  );
  expect(bytes).toBeLessThanOrEqual(5 * 1024);
});

test.each(upstreams)("$id as an authorization server holds nothing, and gives no tokens", async ({ id }) => {
  const protocol = createOAuthProtocol((request, signal) => egress.fetch(request, signal));
  const server = { ...hostileServer, tokenUrl: `http://127.0.0.1:${ports[id] ?? 0}/` };
  await expectFree(async () => {
    const failure: unknown = await protocol.refresh(server, "a-refresh-token").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OAuthFailure);
  });
});
