import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { parsedJson } from "./parsed-json.ts";

const filler = "x".repeat(20_000);

test("a large file keeps its content, with any key and text", () => {
  const text = `{ "__proto__": { "a": 1 }, "\\u2028": "\\u0000 \\"quoted\\" \\\\ ü✓", "filler": "${filler}" }`;
  const module = { exports: {} };
  runInNewContext(parsedJson(text) ?? "", { module });
  expect(JSON.stringify(module.exports)).toBe(JSON.stringify(JSON.parse(text)));
});

test("a small file is unchanged, and so is one that is not JSON", () => {
  expect(parsedJson(`{"a":1}`)).toBeUndefined();
  expect(parsedJson(`{"a":${filler}}`)).toBeUndefined();
});
