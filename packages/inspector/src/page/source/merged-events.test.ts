import { expect, test } from "vitest";

import { withNew, withOlder } from "./merged-events.ts";

const events = (...ids: string[]) =>
  ids.map((id) => ({ id, indexed_at_ms: 0, metadata: { emit_id: "", name: "", emitter_id: "" } }));
const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

test("older events come behind, without those that are there", () => {
  expect(ids(withOlder(events("4", "3"), events("3", "2", "1")))).toEqual(["4", "3", "2", "1"]);
});

test("an event comes first once", () => {
  const [three] = events("3");
  if (!three) throw new Error("none");
  expect(ids(withNew(events("2", "1"), three))).toEqual(["3", "2", "1"]);
  expect(ids(withNew(events("3", "2"), three))).toEqual(["3", "2"]);
});
