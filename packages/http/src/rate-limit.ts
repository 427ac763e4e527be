import { performance } from "node:perf_hooks";

import { XError } from "@x/runtime";

export interface RateLimitOptions {
  /** Average requests per second. */
  readonly perSecond: number;
  /** Most requests at once. Default: `perSecond`, at least 1. */
  readonly burst?: number;
}

/** Limits requests per caller. */
export interface RateLimit {
  /** Throws `rate_limited` with the seconds to wait. */
  take(caller: string): void;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Most callers that are remembered; the least recently used is dropped, and starts with a full bucket. */
const maxCallers = 10_000;

function check(name: string, value: number, isValid: boolean, expected: string): void {
  if (!isValid) throw new XError("invalid_options", [`rateLimit.${name}`, expected, String(value)]);
}

/** A token bucket per caller. */
export function createRateLimit(options: RateLimitOptions, now: () => number = () => performance.now()): RateLimit {
  const { perSecond, burst = Math.max(1, Math.ceil(perSecond)) } = options;
  check("perSecond", perSecond, Number.isFinite(perSecond) && perSecond > 0, "a positive number");
  check("burst", burst, Number.isSafeInteger(burst) && burst >= 1, "a positive integer");
  // Oldest use first.
  const buckets = new Map<string, Bucket>();

  return {
    take(caller) {
      const at = now();
      const known = buckets.get(caller) ?? { tokens: burst, at };
      const tokens = Math.min(burst, known.tokens + ((at - known.at) * perSecond) / 1000);
      const isAllowed = tokens >= 1;
      buckets.delete(caller);
      buckets.set(caller, { tokens: isAllowed ? tokens - 1 : tokens, at });
      const [oldest] = buckets.keys();
      if (buckets.size > maxCallers && oldest !== undefined) buckets.delete(oldest);
      if (isAllowed) return;
      const seconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
      throw new XError("rate_limited", [String(seconds)], { details: { retryAfterSeconds: seconds } });
    },
  };
}
