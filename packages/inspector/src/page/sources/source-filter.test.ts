import { expect, test } from "vitest";

import { filterSources } from "./source-filter.ts";
import type { SourceRow } from "./source-list.ts";

const state = { next_tick_at_ms: null, queue_depth: 0, events_per_hour: [], failures_per_hour: [] };
const row = (id: string, name: string, active = true, failures = 0): SourceRow => ({
  id,
  name,
  name_slug: name.toLowerCase().replaceAll(" ", "-"),
  active,
  created_at: 0,
  state: { ...state, failures_24h: failures },
});
const rows = [row("dc_1", "New Orders"), row("dc_2", "Old Orders", false), row("dc_3", "Releases", true, 2)];
const found = (...given: [kind: "all" | "active" | "paused" | "failing", search: string]): string[] =>
  filterSources(rows, ...given).map(({ id }) => id);

test("a search finds the sources that have all of its words in their name, slug or id", () => {
  expect([found("all", ""), found("all", "orders"), found("all", "ORDERS new"), found("all", "dc_3")]).toEqual([
    ["dc_1", "dc_2", "dc_3"],
    ["dc_1", "dc_2"],
    ["dc_1"],
    ["dc_3"],
  ]);
});

test("sources are listed by kind", () => {
  expect([found("active", ""), found("paused", ""), found("failing", "")]).toEqual([
    ["dc_1", "dc_3"],
    ["dc_2"],
    ["dc_3"],
  ]);
});
