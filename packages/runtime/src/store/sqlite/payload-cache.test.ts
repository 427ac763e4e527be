import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createPayloadCache } from "./payload-cache.ts";
import type { Query } from "./query.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openCache() {
  const rows = new Map<string, string>();
  const read = vi.fn<(emitId: string) => string | undefined>((emitId) => rows.get(emitId));
  const one = (_sql: string, emitId: string): unknown => {
    const payload = read(emitId);
    return payload === undefined ? undefined : { payload };
  };
  return { rows, read, cache: createPayloadCache({ one } as unknown as Pick<Query, "one">) };
}

test("a payload is read once for the rows that share it, and again ten seconds later", () => {
  const { rows, read, cache } = openCache();
  rows.set("e1", '"first"').set("e2", '"second"');
  for (let row = 0; row < 40; row += 1) expect(cache.read("e1")).toBe('"first"');
  expect(cache.read("e2")).toBe('"second"');
  expect(read).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(cache.read("e1")).toBe('"first"');
  expect(read).toHaveBeenCalledTimes(3);
  cache.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("a payload whose last row was deleted is not there, and is looked for again", () => {
  const { read, cache } = openCache();
  expect([cache.read("e1"), cache.read("e1")]).toEqual([undefined, undefined]);
  expect(read).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("payloads take at most 16 Mi characters", () => {
  const { rows, read, cache } = openCache();
  const ids = ["e1", "e2", "e3"];
  for (const id of ids) rows.set(id, id.padEnd(6 * 1024 * 1024));
  rows.set("large", "x".repeat(17 * 1024 * 1024));
  for (const id of [...ids, "large"]) cache.read(id);
  read.mockClear();
  for (const id of ["e3", "e2", "e1", "large"]) cache.read(id);
  expect(read.mock.calls.flat()).toEqual(["e1", "large"]);
  cache.stop();
});
