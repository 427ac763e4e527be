import { XError } from "@x/runtime";
import { expect, test } from "vitest";

import { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";

function openLimit(options: RateLimitOptions): { take(caller?: string): number; pass(ms: number): void } {
  let now = 5_000;
  const limit = createRateLimit(options, () => now);
  return {
    /** Seconds to wait; 0 when it was allowed. */
    take(caller = "a") {
      try {
        limit.take(caller);
        return 0;
      } catch (error) {
        if (!XError.is(error) || error.code !== "rate_limited") throw error;
        return Number(error.details["retryAfterSeconds"]);
      }
    },
    pass: (ms) => void (now += ms),
  };
}

test("a burst is allowed, then perSecond requests", () => {
  const { take, pass } = openLimit({ perSecond: 2, burst: 3 });
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1]);
  pass(499);
  expect(take()).toBe(1);
  pass(1);
  expect([take(), take()]).toEqual([0, 1]);
  pass(60_000);
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1]);
});

test("the wait is in whole seconds, and a refused request does not prolong it", () => {
  const { take, pass } = openLimit({ perSecond: 0.1 });
  expect([take(), take(), take()]).toEqual([0, 10, 10]);
  pass(4_500);
  expect(take()).toBe(6);
  pass(5_500);
  expect(take()).toBe(0);
});

test("callers have separate limits, and only the latest are remembered", () => {
  const { take } = openLimit({ perSecond: 1, burst: 1 });
  expect([take("a"), take("b"), take("a")]).toEqual([0, 0, 1]);
  for (let n = 0; n < 10_000; n++) take(`flood ${n}`);
  expect(take("a")).toBe(0);
});

test.each([{ perSecond: 0 }, { perSecond: Number.NaN }, { perSecond: 1, burst: 0 }, { perSecond: 1, burst: 1.5 }])(
  "%o is refused",
  (options) => {
    expect(() => createRateLimit(options)).toThrow("rateLimit.");
  },
);
