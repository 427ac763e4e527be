import { expect, test } from "vitest";

import { membersOf, pointer } from "./json-pointer.ts";

test.each([
  [[], ""],
  [["props", "a/b", 0, "~1"], "/props/a~1b/0/~01"],
  [["", "~"], "//~0"],
])("the pointer to %j is %j, and names its members", (members, text) => {
  expect(pointer(...members)).toBe(text);
  expect(membersOf(text)).toEqual(members.map(String));
});
