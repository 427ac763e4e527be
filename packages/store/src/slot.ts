import crypto from "node:crypto";

import type { Slots } from "./cluster-contract.ts";

/** How many slots sources hash to. */
export const slotCount = 1_024;

/** The slot of a source or workflow: the first ten bits of the MD5 of its id, which SQL computes alike. */
export const slotOf = (id: string): number => Number.parseInt(crypto.hash("md5", id).slice(0, 3), 16) >> 2;

/** A set of slots. */
export function createSlots(list: readonly number[]): Slots {
  const numbers = new Set(list);
  return { list, has: (id) => numbers.has(slotOf(id)) };
}
