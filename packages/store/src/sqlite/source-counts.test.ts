import { expect, test } from "vitest";

import { exampleSource } from "../conformance/examples.cases.ts";
import { createSourceCounts } from "./source-counts.ts";

test("a long list is counted once until a source is put or deleted, and never from a commit under way", () => {
  const counts = createSourceCounts();
  let asked = 0;
  const count = (list: string, rows: number): number =>
    counts.count(list, () => {
      asked += 1;
      return rows;
    });
  expect([count("u_a", 5_000), count("u_a", 1), count("u_b", 2), count("u_b", 3)]).toEqual([5_000, 5_000, 2, 3]);
  expect(asked).toBe(3);
  counts.begin([{ op: "trigger.remove", id: "t_1" }])();
  expect(count("u_a", 1)).toBe(5_000);
  const ended = counts.begin([{ op: "source.put", source: exampleSource("dc_1") }]);
  expect([count("u_a", 6_000), count("u_a", 6_001)]).toEqual([6_000, 6_001]);
  ended();
  expect([count("u_a", 6_001), count("u_a", 1)]).toEqual([6_001, 6_001]);
  counts.begin([{ op: "source.delete", id: "dc_1" }])();
  expect(count("u_a", 6_000)).toBe(6_000);
});
