import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createPageCache } from "./page-cache.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the pages of a connection in use are freed every ten seconds, and those of an idle or closed one never", () => {
  const exec = vi.fn<(sql: string) => void>();
  const pages = createPageCache({ exec });
  for (let second = 0; second < 25; second += 1) {
    pages.used();
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(60_000);
  expect(exec.mock.calls).toEqual(Array.from({ length: 3 }, () => ["PRAGMA shrink_memory"]));
  pages.used();
  pages.stop();
  vi.advanceTimersByTime(60_000);
  expect(exec).toHaveBeenCalledTimes(3);
});
