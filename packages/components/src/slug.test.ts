import { expect, test } from "vitest";

import { freeSlug, slug } from "./slug.ts";

test.each([
  ["My first project - exu_oedidz", "my-first-project---exu-oedidz"],
  ["RSS (v2)", "rss--v2-"],
  ["orders feed", "orders-feed"],
  ["Größe 🌍", "gr--e--"],
  ["", ""],
])("G60 the slug of %j is %j", (name, expected) => {
  expect(slug(name)).toBe(expected);
});

test("G60 R035 the first name has no suffix, the next ones count from 2", () => {
  expect(freeSlug("feed", new Set())).toBe("feed");
  expect(freeSlug("feed", new Set(["feed"]))).toBe("feed-2");
  expect(freeSlug("feed", new Set(["feed", "feed-2", "feed-4"]))).toBe("feed-3");
  expect(freeSlug("feed", new Set(["feed-2"]))).toBe("feed");
});
