import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

import { slugsSql } from "./read-sources.ts";
import { migrate } from "./schema.ts";

test("the slugs that a deploy compares are one range of the index, however many sources the user has", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${slugsSql}`).all("u_1", "feed");
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH source USING COVERING INDEX source_slug (user_id=? AND name_slug>? AND name_slug<?)",
  ]);
  database.close();
});
