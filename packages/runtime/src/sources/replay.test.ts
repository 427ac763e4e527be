import { expect, it } from "vitest";

import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { exampleComponent, exampleEvent, exampleSource } from "../../../store/src/conformance/examples.cases.ts";
import type { Change } from "../../../store/src/contract.ts";
import { replay } from "./replay.ts";

const cached: CachedSource = {
  source: exampleSource("dc_1"),
  component: exampleComponent("sc_1"),
  dedupe: {},
  heads: { emits: { ms: 5, seq: 3 } },
  db: new Map([
    ["kept", "1"],
    ["gone", "1"],
    ["changed", "1"],
  ]),
  untrimmed: new Map(),
};

it("R017 events of earlier hooks get ids after newer events, and later hooks see the db writes", () => {
  const state = { strategy: "unique", ids: ["a"] } as const;
  const stored: readonly Change[] = [
    { op: "db.set", sourceId: "dc_1", key: "changed", value: "2", at: 1 },
    { op: "db.set", sourceId: "dc_1", key: "gone", value: undefined, at: 1 },
    { op: "event.add", event: exampleEvent(4, 0) },
    { op: "event.add", event: exampleEvent(4, 1) },
    { op: "event.add", event: exampleEvent(9, 7, { stream: "$logs" }) },
    { op: "dedupe.set", sourceId: "dc_1", channel: "", state },
    { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 1 },
  ];
  // As read from a store.
  const { changes, events, next } = replay(cached, JSON.parse(JSON.stringify(stored)) as Change[]);
  expect(changes.map(({ op }) => op)).toEqual(stored.map(({ op }) => op));
  expect(changes[1]).toEqual(stored[1]);
  expect(changes).toHaveLength(stored.length);
  expect(events.map(({ id }) => id)).toEqual([
    { ms: 5, seq: 4 },
    { ms: 5, seq: 5 },
    { ms: 9, seq: 0 },
  ]);
  expect(next).toEqual({
    dedupe: { "": state },
    heads: { emits: { ms: 5, seq: 5 }, $logs: { ms: 9, seq: 0 } },
    db: new Map([
      ["kept", "1"],
      ["changed", "2"],
    ]),
    untrimmed: new Map(),
  });
  expect(cached.db.get("changed")).toBe("1");
});
