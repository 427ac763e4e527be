import { expect, test } from "vitest";

import { conditionOf, shareOf } from "./condition.ts";

const state = { pending: 0, oldest_pending_at: null, due: 0, dead: 0, since: 0, delivered: 0, failed: 0 };
const answered = (error: string | null, dead = 0) => ({
  active: true,
  state: { ...state, dead, last_attempt: { at: 1, http_status: 200, error, duration_ms: 1 } },
});

test("the condition is what happens to deliveries", () => {
  const unused = { active: true, state: { ...state, last_attempt: null } };
  const all = [unused, answered(null), answered(null, 2), answered("no", 2), { ...answered("no", 2), active: false }];
  expect(all.map(conditionOf)).toEqual(["unused", "delivering", "dead", "failing", "paused"]);
});

test("a share is everything only when nothing failed", () => {
  expect(shareOf({ delivered: 0, failed: 0 })).toBeUndefined();
  expect(shareOf({ delivered: 12, failed: 0 })).toBe("100 % of 12");
  expect(shareOf({ delivered: 9_999, failed: 1 })).toBe("99.9 % of 10000");
  expect(shareOf({ delivered: 0, failed: 7 })).toBe("0 % of 7");
});
