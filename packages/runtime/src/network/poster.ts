import type { Agent, Dispatcher } from "undici";

import { XError, systemClock, type Limits } from "@x/model";
import type { Poster, PostReply } from "../webhooks/contract.ts";
import type { NetworkOptions } from "../api/options.ts";
import { createAgent, createPinnedLookup } from "./connection.ts";
import type { Lookup } from "./lookup.ts";
import { describeFailure, findOwnError, showUrl } from "./failure.ts";
import { firstHop } from "./hop.ts";
import { parsePolicy } from "./policy.ts";

export type PosterLimits = Pick<Limits, "deliveryTimeoutMs" | "deliveryResponseBytes">;

const headerOf = (headers: Dispatcher.ResponseData["headers"], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const headerPairs = (headers: Dispatcher.ResponseData["headers"]): PostReply["headers"] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((text) => [name, text] as const));

/** Bytes of an answer that are kept: more than is shown, so that a secret across the end is found. */
const keptBytes = 5 * 1024;

/** Reads the body, so that the connection can be reused; at most `limit` bytes of it. Never rejects. */
async function readBody(body: Dispatcher.ResponseData["body"], limit: number): Promise<PostReply["body"]> {
  const head: Uint8Array[] = [];
  let room = keptBytes;
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // A copy: a small part of a large chunk would keep all of it in memory.
      if (room > 0) head.push(Uint8Array.from(chunk.subarray(0, room)));
      room -= chunk.byteLength;
      if (bytes > limit) break;
    }
  } catch {
    // What has arrived counts.
  }
  return { bytes, head: Buffer.concat(head) };
}

/** Creates the sender of webhooks. Loopback is allowed and `upstream` does not apply. `seams.lookup` replaces the name server. */
export function createPoster(
  options: NetworkOptions,
  limits: PosterLimits,
  seams: { readonly lookup?: Lookup } = {},
): Poster {
  const policy = parsePolicy(options, { loopback: true });
  const lookup = createPinnedLookup(policy, seams.lookup);
  let agent: Promise<Agent> | undefined;
  const openAgent = (): Promise<Agent> => (agent ??= createAgent(limits.deliveryTimeoutMs, lookup));

  return {
    forbidden: (url) => policy.forbiddenUrl(new URL(url)),
    async post({ url, headers, body }, cancelled) {
      // Before the deadline starts: the first call loads the library.
      const sender = await openAgent();
      const ending = new AbortController();
      const { signal } = ending;
      const end = (): void => ending.abort();
      cancelled.addEventListener("abort", end, { once: true });
      if (cancelled.aborted) end();
      // Real time, because a manual clock does not move other machines.
      const cancelDeadline = systemClock.wakeAt(systemClock.now() + limits.deliveryTimeoutMs, end);
      try {
        const hop = firstHop({ url, method: "POST", headers, body: Buffer.from(body), redirect: "manual" });
        if ("problem" in hop) throw new XError("network_failed", [showUrl(url), hop.problem]);
        const rule = policy.forbiddenUrl(hop.url);
        if (rule !== undefined) throw new XError("address_forbidden", [hop.url.hostname, rule]);
        const response = await sender.request({
          origin: hop.url.origin,
          path: hop.url.pathname + hop.url.search,
          method: "POST",
          headers: hop.headers.flatMap(([name, value]) => [name, value]),
          body: hop.body ?? null,
          signal,
        });
        // An aborted body emits its error, which is not needed.
        response.body.on("error", () => undefined);
        const read = await readBody(response.body, limits.deliveryResponseBytes);
        const { statusCode: status, headers: answered } = response;
        return {
          status,
          retryAfter: headerOf(answered, "retry-after"),
          headers: headerPairs(answered),
          body: read,
        };
      } catch (error) {
        const own = findOwnError(error);
        if (own) throw own;
        const problem = cancelled.aborted
          ? "it was cancelled"
          : signal.aborted
            ? `no answer within ${limits.deliveryTimeoutMs} ms`
            : describeFailure(error);
        throw new XError("network_failed", [showUrl(url), problem], { cause: error });
      } finally {
        cancelDeadline();
        cancelled.removeEventListener("abort", end);
      }
    },
    async close() {
      await (await agent)?.destroy();
    },
  };
}
