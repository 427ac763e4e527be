import { expect, test } from "vitest";

import { stackPlaces } from "./stack-places.ts";

test("frames with and without a function name give a place, innermost first", () => {
  const stack =
    "Error: at a (x.js:1:1) \n    at run (lib/a.js:9:3)\n    at b.js:1:20\n    at native\n    at async c (/d.js:2:4)";
  expect(stackPlaces(stack)).toEqual([
    { file: "lib/a.js", line: 9, column: 3 },
    { file: "b.js", line: 1, column: 20 },
    { file: "/d.js", line: 2, column: 4 },
  ]);
});
