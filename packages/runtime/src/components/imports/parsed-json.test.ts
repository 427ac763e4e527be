import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { parsedJson } from "./parsed-json.ts";

const filler = "x".repeat(20_000);

test("a large file gives what it holds, of any key and text", () => {
  const text = `{ "__proto__": { "a": 1 }, "\\u2028": "\\u0000 \\"quoted\\" \\\\ ü✓", "filler": "${filler}" }`;
  const module = { exports: {} };
  runInNewContext(parsedJson(text) ?? "", { module });
  expect(JSON.stringify(module.exports)).toBe(JSON.stringify(JSON.parse(text)));
});

test("a small file stays as it is, and so does one that is no JSON", () => {
  expect(parsedJson(`{"a":1}`)).toBeUndefined();
  expect(parsedJson(`{"a":${filler}}`)).toBeUndefined();
});
