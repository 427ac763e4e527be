import { expect, test } from "vitest";

import { createSlots, slotOf } from "./slot.ts";

test.each([
  ["", 848],
  ["dc_1", 311],
  ["p_1", 14],
  ["dc_a1B2c3D", 897],
  ["dc_\u00e9", 839],
])("the slot of %j is %i, as SQL computes it", (id, slot) => {
  expect(slotOf(id)).toBe(slot);
});

test("a set of slots has the ids that hash to them", () => {
  const slots = createSlots([311, 14]);
  expect(["dc_1", "p_1", "dc_2"].map((id) => slots.has(id))).toEqual([true, true, false]);
});
