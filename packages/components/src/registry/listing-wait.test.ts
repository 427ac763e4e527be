import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createCatalog, findKey } from "./catalog.ts";
import { createListingWait } from "./listing-wait.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const none = (): void => undefined;
const logger = { debug: none, info: none, warn: none, error: none };

/** True when listing this number of folders counts as long after `ms`. */
async function isLong(folders: number, ms: number, endsAfter = Infinity): Promise<boolean> {
  const wait = createListingWait();
  let long = false;
  void wait.isLong.then(() => (long = true));
  for (let folder = 0; folder < folders; folder += 1) wait.count();
  await vi.advanceTimersByTimeAsync(Math.min(ms, endsAfter));
  if (endsAfter < ms) wait.end();
  await vi.advanceTimersByTimeAsync(Math.max(0, ms - endsAfter));
  return long;
}

test("R081 a request waits one second for the listing of a large folder, and for the whole listing of a small one", async () => {
  expect(await isLong(499, 60_000)).toBe(false);
  expect(await isLong(500, 999)).toBe(false);
  expect(await isLong(500, 1_000)).toBe(true);
  expect(await isLong(8_000, 60_000, 500)).toBe(false);
});

test("R081 an unknown key is answered at once while folders are listed", async () => {
  const catalog = createCatalog(logger, {});
  await expect(findKey("acme-new", catalog, "listing")).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("still being listed"),
    details: { reason: "registry_is_read" },
  });
});
