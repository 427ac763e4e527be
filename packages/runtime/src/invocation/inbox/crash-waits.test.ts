import { expect, it } from "vitest";

import { crashWait, createCrashWaits } from "./crash-waits.ts";

it("S24 a trigger in flight at two crashes waits after the start, longer when another of its source was abandoned", () => {
  expect([0, 1, 2].map((crashes) => crashWait(crashes, false, 1_000))).toEqual([0, 0, 4_000]);
  expect(crashWait(2, false, 5_000)).toBe(0);
  expect([1_000, 30_000].map((upMs) => crashWait(0, true, upMs))).toEqual([29_000, 0]);
});

it("waiting triggers are rejected on close", async () => {
  const waits = createCrashWaits();
  waits.delaySource("dc_1");
  expect(waits.before({ sourceId: "dc_2", crashes: 1, type: "TIMER" })).toBeUndefined();
  expect(waits.before({ sourceId: "dc_1", crashes: 0, type: "MANUAL" })).toBeUndefined();
  const waiting = waits.before({ sourceId: "dc_1", crashes: 0, type: "TIMER" });
  waits.end();
  await expect(waiting).rejects.toMatchObject({ code: "closed" });
});
