import { expect, it } from "vitest";

import type { CachedSource } from "../lane/source-cache.ts";
import { defaults } from "../../../../model/src/limits.ts";
import { exampleComponent, exampleSource } from "../../../../store/src/conformance/examples.cases.ts";
import { noteError, noteLogs } from "./notes.ts";

const cached = (): CachedSource => ({
  source: exampleSource("dc_1"),
  component: exampleComponent("sc_1"),
  dedupe: {},
  heads: {},
  db: new Map(),
  untrimmed: new Map(),
});
const rules = { now: 1_000, limits: { ...defaults, retention: 10 }, hasListeners: () => false };

it("records that no call made are trimmed like those of runs", () => {
  const notes = Array.from({ length: 15 }, (_, index) => ({ msg: `note ${index}`, data: [], context: "start" }));
  const { changes, next } = noteLogs(cached(), notes, rules);
  expect(changes.filter(({ op }) => op === "event.add")).toHaveLength(10);
  expect(changes.at(-1)).toEqual({ op: "events.trim", emitterId: "dc_1", stream: "$logs", keep: 10 });
  expect(next.untrimmed.get("$logs")).toBe(0);
  const failure = noteError(cached(), { entry: "deploy", code: "internal", text: "No." }, rules);
  expect(failure.changes.at(-1)).toEqual({ op: "events.trim", emitterId: "dc_1", stream: "$errors", keep: 10 });
});
