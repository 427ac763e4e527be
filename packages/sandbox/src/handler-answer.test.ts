import { expect, test } from "vitest";

import { readAnswer } from "./handler-answer.ts";

type Given = Parameters<typeof readAnswer>[0];

const read = (answer: object) => {
  const { body, ...rest } = readAnswer(answer as Given, (value) => JSON.stringify(value));
  return { ...rest, body: new TextDecoder().decode(body) };
};

test.each([
  [
    { "x-a": "1", "x-b": [2, 3], "x-none": undefined },
    [
      ["x-a", "1"],
      ["x-b", "2"],
      ["x-b", "3"],
    ],
  ],
  [
    new Headers([
      ["x-a", "1"],
      ["set-cookie", "a"],
      ["set-cookie", "b"],
    ]),
    [
      ["set-cookie", "a"],
      ["set-cookie", "b"],
      ["x-a", "1"],
    ],
  ],
  [
    new Map<string, unknown>([
      ["x-a", 1],
      ["x-b", ["2", "3"]],
    ]),
    [
      ["x-a", "1"],
      ["x-b", "2"],
      ["x-b", "3"],
    ],
  ],
  [
    [
      ["x-a", "1"],
      ["x-a", "2"],
    ],
    [
      ["x-a", "1"],
      ["x-a", "2"],
    ],
  ],
  [undefined, []],
])("S50 headers %#", (headers, expected) => {
  expect(read({ status: 200, headers, body: "ok" })).toEqual({ status: 200, headers: expected, body: "ok" });
});

test.each([
  ["text", "text", undefined],
  [undefined, "", undefined],
  [null, "", undefined],
  [new Uint8Array([104, 105]), "hi", undefined],
  [Buffer.from("hi"), "hi", undefined],
  [new Uint16Array(new Uint8Array([104, 105]).buffer), "hi", undefined],
  [new Uint8Array([104, 105]).buffer, "hi", undefined],
  [new URLSearchParams({ a: "1 2" }), "a=1+2", "application/x-www-form-urlencoded;charset=UTF-8"],
  [{ a: 1 }, '{"a":1}', "application/json"],
  [[1], "[1]", "application/json"],
  [Object.create(null), "{}", "application/json"],
  [new Date(0), '"1970-01-01T00:00:00.000Z"', "application/json"],
])("S50 body %#", (body, text, type) => {
  const headers = type === undefined ? [] : [["content-type", type]];
  expect(read({ status: 200, body })).toEqual({ status: 200, headers, body: text });
  expect(read({ status: 200, headers: { "Content-Type": "x/y" }, body }).headers).toEqual([["Content-Type", "x/y"]]);
});

test.each([
  [
    { status: 200, headers: "x-a: 1" },
    "headers must be a plain object, Headers, a Map, or pairs of name and value, got a string",
  ],
  [{ status: 200, headers: new Date(0) }, "got Date"],
  [{ status: 200, headers: ["x-a"] }, "got a string in Array"],
  [{ status: 200, body: new Blob(["x"]) }, "body must be text, bytes, URLSearchParams or JSON data, got Blob"],
  [{ status: 200, body: new FormData() }, "got FormData"],
  [{ status: 200, body: new ReadableStream() }, "got ReadableStream"],
  [{ status: 200, body: new Map() }, "got Map"],
  [new Response("x"), "takes { status, headers, body }, got Response"],
  [{ status: 99 }, "from 100 to 599"],
  [{ status: 100 }, "only announce one"],
  [{ status: 200, headrs: {} }, 'takes no "headrs"'],
])("S50 what a handler's answer cannot be is refused at the call: %#", (answer, text) => {
  expect(() => read(answer)).toThrow(text);
});
