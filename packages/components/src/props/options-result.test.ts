import { describe, expect, it } from "vitest";

import { readOptions } from "./options-result.ts";

const list = (result: unknown): unknown => {
  const read = readOptions(result);
  return "options" in read ? read.options.map(({ label, value }) => [label, value]) : read;
};

describe("readOptions", () => {
  it("S5 makes every choice a label with a value", () => {
    expect(list(["a", 1, true, { label: "L", value: "v" }, { label: 5, value: 6 }])).toEqual([
      ["a", "a"],
      ["1", 1],
      ["true", true],
      ["L", "v"],
      ["5", 6],
    ]);
  });

  it("calls a choice without a label like its value, and one without a value is its label", () => {
    expect(
      list([
        { value: "v" },
        { value: { id: 1 } },
        { label: "L" },
        { label: null, value: 2 },
        { label: "n", value: null },
      ]),
    ).toEqual([
      ["v", "v"],
      ['{"id":1}', { id: 1 }],
      ["L", "L"],
      ["2", 2],
      ["n", null],
    ]);
  });

  it("S5 shows the plain list only when all of it is text", () => {
    expect(readOptions(["a", "b"])).toMatchObject({ stringOptions: ["a", "b"] });
    expect(readOptions({ options: ["a"] })).toMatchObject({ stringOptions: ["a"] });
    expect(readOptions([])).toMatchObject({ options: [], stringOptions: [] });
    expect(readOptions(["a", 1])).toMatchObject({ stringOptions: null });
    expect(readOptions([{ label: "a", value: "a" }])).toMatchObject({ stringOptions: null });
  });

  it("S5 gives the context as it was returned, and null without one", () => {
    for (const context of ["next", { nextPageToken: "p2" }, 0, ["a"], null])
      expect(readOptions({ options: [], context })).toMatchObject({ context });
    expect(readOptions({ options: [] })).toMatchObject({ context: null });
    expect(readOptions([])).toMatchObject({ context: null });
  });

  it.each([
    [undefined, "nothing"],
    [null, "null"],
    ["a", "a string"],
    [{}, "an object without options"],
    [{ options: { a: 1 } }, "{options: an object}"],
    [[["a"]], "an array"],
    [["a", null], "null"],
    [[{}], "an object with no members"],
    [[{ name: "a", id: 1 }], "an object with name, id"],
    [[{ label: { en: "a" }, value: 1 }], "an object with label, value"],
  ])("says what %j is", (result, got) => {
    const read = readOptions(result);
    expect("got" in read && read.got).toBe(got);
    expect("expected" in read && read.expected).toContain("{label, value}");
  });

  it("says which choice it is", () => {
    expect(readOptions(["a", { x: 1 }])).toMatchObject({
      expected: expect.stringContaining("; option 1 must be a value") as string,
    });
  });
});
