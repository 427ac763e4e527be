import { expect, test } from "vitest";

import { encodeTexts, JsonText, jsonTexts, sliceText } from "./json-text.ts";

test("an object is written as by JSON.stringify, with its JsonTexts unchanged", () => {
  const body = {
    page_info: { count: 2, none: undefined },
    data: [
      { id: "1-0", event: new JsonText('{ "a": 1.0 }'), metadata: { name: "é\n", list: [1, { b: null }] } },
      { id: "1-1", event: new JsonText('{"raw_event":', "[]", "}") },
      new JsonText('{"whole":true}'),
    ],
    empty: [],
    nothing: {},
  };
  const text = [...jsonTexts(body)].join("");
  expect(text).toContain('"event":{ "a": 1.0 },');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body)));
});

test("a deeper JsonText is parsed and written", () => {
  const deep = { a: { b: { c: { d: new JsonText("[1]") } } } };
  expect([...jsonTexts(deep)].join("")).toBe('{"a":{"b":{"c":{"d":[1]}}}}');
});

test("short texts become one chunk, and a long one is a chunk of its own", () => {
  const long = "é".repeat(20_000);
  const chunks = encodeTexts(["a", "b", long, "", "c"]);
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([2, 40_000, 1]);
  expect(Buffer.concat(chunks).toString()).toBe(`ab${long}c`);
  expect(encodeTexts([])).toEqual([]);
});

test("slices end between characters and add up to the text", () => {
  const text = "a\u{1F600}b\u{1F600}\u{1F600}c";
  for (const chars of [2, 3, 4, 100]) {
    const slices = [...sliceText(text, chars)];
    expect(slices.join("")).toBe(text);
    expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
  }
  expect([...sliceText("", 4)]).toEqual([]);
});
