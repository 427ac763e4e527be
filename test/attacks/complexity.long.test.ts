import { expect, test } from "vitest";

import { complexInputs } from "./complexity/all.ts";
import { excesses, measure } from "./complexity/measure.ts";

test.each(complexInputs)(
  "$id holds the main thread for a bounded time, and twice the input not more than twice as long",
  async (input) => {
    expect(excesses(await measure(input)).join("; ")).toBe("");
  },
);
