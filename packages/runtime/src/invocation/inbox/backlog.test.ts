import { describe, expect, test } from "vitest";

import { type Backlog, createBacklog, type Counted } from "./backlog.ts";

const open = { inboxPerSource: 100, inboxBytesPerSource: 1e9, inboxBytesPerUser: 1e9, inboxBytes: 1e9 };
const trigger = (id: string, override: Partial<Counted> = {}): Counted => ({
  id,
  sourceId: "dc_1",
  userId: "u_1",
  type: "HTTP",
  bytes: 100_000,
  ...override,
});
/** Ids of those that are counted in. */
const admitted = (backlog: Backlog, triggers: readonly Counted[]): string[] =>
  triggers.flatMap((each) => {
    if (backlog.findExcess(each)) return [];
    backlog.add(each);
    return [each.id];
  });

describe("the backlog", () => {
  test("limits the number of triggers of a source", () => {
    const backlog = createBacklog({ ...open, inboxPerSource: 2 });
    const triggers = [trigger("a"), trigger("b"), trigger("c"), trigger("d", { sourceId: "dc_2" })];
    expect(admitted(backlog, triggers)).toEqual(["a", "b", "d"]);
    expect(backlog.findExcess(trigger("c"))).toEqual({ limit: "2 triggers", got: "3" });
  });

  test("limits the bytes of a source, of a user and of all users", () => {
    const sources = [
      trigger("a"),
      trigger("b"),
      trigger("c", { sourceId: "dc_2" }),
      trigger("d", { sourceId: "dc_3", userId: "u_2" }),
    ];
    expect(admitted(createBacklog({ ...open, inboxBytesPerSource: 150_000 }), sources)).toEqual(["a", "c", "d"]);
    expect(admitted(createBacklog({ ...open, inboxBytesPerUser: 250_000 }), sources)).toEqual(["a", "b", "d"]);
    expect(admitted(createBacklog({ ...open, inboxBytes: 250_000 }), sources)).toEqual(["a", "b"]);
  });

  test("frees the room of removed triggers, and counts stored ones even beyond the limits", () => {
    const backlog = createBacklog({ ...open, inboxBytes: 250_000 });
    for (const id of ["a", "b", "c"]) backlog.add(trigger(id));
    expect(backlog.findExcess(trigger("d"))).toEqual({ limit: "250000 bytes of all users", got: "408192" });
    for (const id of ["a", "a", "b", "unknown"]) backlog.remove(trigger(id));
    expect(admitted(backlog, [trigger("d"), trigger("e")])).toEqual(["d"]);
    for (const id of ["c", "d"]) backlog.remove(trigger(id));
    expect(backlog.isEmpty("dc_1")).toBe(true);
  });

  test("counts triggers that have not begun, by type", () => {
    const backlog = createBacklog(open);
    backlog.add(trigger("a", { type: "TIMER" }));
    backlog.add(trigger("b"));
    expect([backlog.waiting("dc_1", "TIMER"), backlog.waiting("dc_2", "TIMER")]).toEqual([1, 0]);
    backlog.begin(trigger("a"));
    expect(backlog.waiting("dc_1", "TIMER")).toBe(0);
  });

  test("counts what waits and what runs, of one source and of all", () => {
    const backlog = createBacklog(open);
    for (const each of [trigger("a"), trigger("b"), trigger("c", { sourceId: "dc_2" })]) backlog.add(each);
    backlog.begin(trigger("a"));
    expect([backlog.depthOf("dc_1"), backlog.depthOf("dc_2"), backlog.depthOf("dc_3")]).toEqual([1, 1, 0]);
    expect(backlog.depth()).toEqual({ waiting: 2, running: 1, bytes: 3 * 102_048 });
  });

  test("forgets the triggers of sources that go to another node", () => {
    const backlog = createBacklog(open);
    const [here, there] = [trigger("a"), trigger("b", { sourceId: "dc_2" })];
    for (const each of [here, there]) backlog.add(each);
    expect(backlog.forget((sourceId) => sourceId === "dc_2")).toEqual(["b"]);
    expect([backlog.has(here), backlog.has(there), backlog.depth().bytes]).toEqual([true, false, 102_048]);
  });
});
