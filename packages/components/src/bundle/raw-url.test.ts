import { expect, test } from "vitest";

import { rawUrl } from "./raw-url.ts";

const raw = (url: string): string => rawUrl(new URL(url)).href;

test.each([
  [
    "https://github.com/acme/feeds/blob/main/sources/new.mjs",
    "https://raw.githubusercontent.com/acme/feeds/main/sources/new.mjs",
  ],
  [
    "https://www.github.com/acme/feeds/blob/feature/x/a%20b.mjs?plain=1#L3-L9",
    "https://raw.githubusercontent.com/acme/feeds/feature/x/a%20b.mjs?plain=1",
  ],
  [
    "https://token@github.com/acme/feeds/blob/main/a.mjs",
    "https://token@raw.githubusercontent.com/acme/feeds/main/a.mjs",
  ],
  [
    "https://gitlab.com/acme/group/feeds/-/blob/main/a.mjs?ref_type=heads",
    "https://gitlab.com/acme/group/feeds/-/raw/main/a.mjs?ref_type=heads",
  ],
  ["https://git.acme.example/team/feeds/-/blob/v1/a.mjs", "https://git.acme.example/team/feeds/-/raw/v1/a.mjs"],
  ["https://gitlab.com/acme/feeds/blob/main/a.mjs", "https://gitlab.com/acme/feeds/-/raw/main/a.mjs"],
  ["https://bitbucket.org/acme/feeds/src/main/a.mjs", "https://bitbucket.org/acme/feeds/raw/main/a.mjs"],
])("the page %s shows %s", (page, file) => {
  expect(raw(page)).toBe(file);
});

test.each([
  "https://raw.githubusercontent.com/acme/feeds/main/a.mjs",
  "https://github.com/acme/feeds/raw/main/a.mjs",
  "https://github.com/acme/blob/main",
  "https://github.com.evil.example/acme/feeds/blob/main/a.mjs",
  "https://acme.example/a/b/blob/c.mjs",
  "https://acme.example/code?id=7",
])("%s is taken as it is", (url) => {
  expect(raw(url)).toBe(url);
});

test("a fragment is no part of what is fetched", () => {
  expect(raw("https://acme.example/a.mjs#L3")).toBe("https://acme.example/a.mjs");
});
