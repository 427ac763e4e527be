import { expect, test } from "vitest";

import { formatPublished, readPublished } from "./published.ts";

const published = { key: "acme-new", name: "New", version: "1", folder: "0123456789ab-xyz", entry: "sources/new.mjs" };

test("S10 published.json parses to what was written", () => {
  expect(readPublished(formatPublished(published))).toEqual(published);
  const next = { ...published, previous: published.folder, folder: "ba9876543210-xyz" };
  expect(readPublished(formatPublished(next))).toEqual(next);
  for (const previous of ["../other", ".", "./", "", "link/out", "nul\0"])
    expect(readPublished(formatPublished({ ...published, previous }))).toEqual(published);
});

test.each([
  ["{", "is not valid JSON"],
  ["null", "must have key"],
  ["[]", "must have key"],
  [JSON.stringify({ ...published, version: 1 }), "must have key"],
  [JSON.stringify({ ...published, folder: "../other" }), "must be paths below it"],
  [JSON.stringify({ ...published, folder: "" }), "must be paths below it"],
  [JSON.stringify({ ...published, folder: "." }), "must be paths below it"],
  [JSON.stringify({ ...published, folder: "nul\0" }), "must be paths below it"],
  [JSON.stringify({ ...published, entry: "/etc/passwd" }), "must be paths below it"],
  [JSON.stringify({ ...published, entry: "a/../../b.mjs" }), "must be paths below it"],
  [JSON.stringify({ ...published, entry: "..\\b.mjs" }), "must be paths below it"],
])("published.json that says %s is refused", (text, problem) => {
  expect(readPublished(text)).toEqual({ problem: expect.stringContaining(problem) as string });
});
