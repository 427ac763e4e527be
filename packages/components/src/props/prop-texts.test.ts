import { expect, test } from "vitest";

import { withPropTexts } from "./prop-texts.ts";

const read = (type: string, ...texts: string[]): unknown =>
  withPropTexts({ props: [{ name: "it", type }] }, {}, { it: texts })["it"];

test.each<[type: string, texts: string[], value: unknown]>([
  ["string", ["12345"], "12345"],
  ["string", ["true"], "true"],
  ["string", ['{"a":1}'], '{"a":1}'],
  ["string", ['"quoted"'], '"quoted"'],
  ["string", ["a,b"], "a,b"],
  ["string", [""], ""],
  ["string", ["first", "last"], "last"],
  ["integer", ["12"], 12],
  ["integer", ["-7"], -7],
  ["integer", ["1.5"], "1.5"],
  ["integer", ["many"], "many"],
  ["integer", [""], ""],
  ["boolean", ["yes"], true],
  ["boolean", ["On"], true],
  ["boolean", ["1"], true],
  ["boolean", ["FALSE"], false],
  ["boolean", ["off"], false],
  ["boolean", ["maybe"], "maybe"],
  ["string[]", ["1,2"], ["1", "2"]],
  ["string[]", ["a, b ,c"], ["a", "b", "c"]],
  ["string[]", ["one"], ["one"]],
  ["string[]", ["a,b", "c"], ["a", "b", "c"]],
  ["string[]", ['["a,b",1]'], ["a,b", "1"]],
  ["string[]", ["[open"], ["[open"]],
  ["string[]", [""], []],
  ["integer[]", ["1,2"], [1, 2]],
  ["integer[]", ["[1,2]"], [1, 2]],
  ["integer[]", ["1,x"], [1, "x"]],
  ["boolean[]", ["yes,no", "on"], [true, false, true]],
  ["object", ['{"a":[1]}'], { a: [1] }],
  ["object", ["{a"], "{a"],
  ["any", ["5"], 5],
  ["any", ["text"], "text"],
  ["$.interface.timer", ['{"intervalSeconds":60}'], { intervalSeconds: 60 }],
])("S60 as a %s, %j is %j", (type, texts, value) => {
  expect(read(type, ...texts)).toEqual(value);
});

test("S60 texts override other values of the same prop; a prop of unknown type is read as any", () => {
  const shape = { props: [{ name: "id", type: "string" }] };
  expect(withPropTexts(shape, { id: 1, kept: 2 }, { id: ["5"], later: ["7"] })).toEqual({ id: "5", kept: 2, later: 7 });
  expect(withPropTexts(shape, { id: "a" })).toEqual({ id: "a" });
});
