import { XError, afterRealTime, type Limits } from "@x/model";
import type { Poster, PostReply } from "../webhooks/contract.ts";
import type { NetworkOptions } from "../api/options.ts";
import { createConnections, createPinnedLookup } from "./connection.ts";
import type { Lookup } from "./lookup.ts";
import { describeFailure, findOwnError, showUrl } from "./failure.ts";
import { firstHop } from "./hop.ts";
import { parsePolicy } from "./policy.ts";
import { type Sent, sendOver } from "./sent.ts";

export type PosterLimits = Pick<Limits, "deliveryTimeoutMs" | "deliveryResponseBytes">;

/** Bytes of an answer that are kept: more than is shown, so that a secret across the end is found. */
const keptBytes = 5 * 1024;

/** How long the body of an answer is waited for. */
const bodyMs = 1_000;

/** Reads the body, so that the connection can be reused; at most `limit` bytes of it. Never rejects. */
async function readBody({ chunks }: Sent, limit: number): Promise<PostReply["body"]> {
  const head: Uint8Array[] = [];
  let room = keptBytes;
  let bytes = 0;
  try {
    for await (const chunk of chunks()) {
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
  const connections = createConnections(limits.deliveryTimeoutMs, lookup);

  return {
    forbidden: (url) => policy.forbiddenUrl(new URL(url)),
    async post({ url, headers, body }, cancelled) {
      const ending = new AbortController();
      const { signal } = ending;
      const end = (): void => ending.abort();
      cancelled.addEventListener("abort", end, { once: true });
      if (cancelled.aborted) end();
      // Real time, because a manual clock does not move other machines.
      let cancelDeadline = afterRealTime(limits.deliveryTimeoutMs, end);
      try {
        const hop = firstHop({ url, method: "POST", headers, body: Buffer.from(body), redirect: "manual" });
        if ("problem" in hop) throw new XError("network_failed", [showUrl(url), hop.problem]);
        const rule = policy.forbiddenUrl(hop.url);
        if (rule !== undefined) throw new XError("address_forbidden", [hop.url.hostname, rule]);
        const sent = await sendOver(connections, hop, hop.url, signal);
        // Its headers say whether it was delivered: an endless body holds nothing.
        cancelDeadline();
        cancelDeadline = afterRealTime(Math.min(bodyMs, limits.deliveryTimeoutMs), end);
        const { status, headers: answered } = sent;
        const retryAfter = answered.find(([name]) => name === "retry-after")?.[1];
        return { status, retryAfter, headers: answered, body: await readBody(sent, limits.deliveryResponseBytes) };
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
      connections.destroy();
    },
  };
}
