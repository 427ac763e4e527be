import { integer } from "fast-check";

import { defineTarget, type Target } from "./fuzzer.ts";

/** Fails from 100 on. */
export const failing: Target = defineTarget({
  arbitrary: integer({ min: 0, max: 1_000_000 }),
  property(input) {
    if (input >= 100) throw new Error(`${input} is too large`);
  },
});
