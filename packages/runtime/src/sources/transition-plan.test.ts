import { describe, expect, it } from "vitest";

import type { HookStep } from "../../../model/src/model.ts";
import {
  type DeclaredHooks,
  kindOf,
  planRecovery,
  stepsBack,
  stepsBegun,
  stepsOf,
  type Unfinished,
} from "./transition-plan.ts";

const all: DeclaredHooks = { before: ["deactivate", "activate"], after: ["deploy", "activate", "deactivate"] };
const none: DeclaredHooks = { before: [], after: [] };
const [deactivateOld, activateOld] = (["deactivate", "activate"] as const).map((hook) => ({ hook, of: "before" })) as [
  HookStep,
  HookStep,
];
const [deployNew, activateNew, deactivateNew] = (["deploy", "activate", "deactivate"] as const).map((hook) => ({
  hook,
  of: "after",
})) as [HookStep, HookStep, HookStep];
const stored = {};

describe("the hooks of a change", () => {
  it.each([
    ["create", [deployNew, activateNew]],
    ["update", [deactivateOld, activateNew]],
    ["pause", [deactivateOld]],
    ["resume", [activateNew]],
    ["delete", [deactivateOld]],
  ] as const)(
    "R076 R077 R078 R079 of a %s are in order, without those that the component does not have",
    (kind, steps) => {
      expect(stepsOf(kind, all)).toEqual(steps);
      expect(stepsOf(kind, none)).toEqual([]);
      expect(stepsOf(kind, { ...all, after: ["activate"] })).toEqual(steps.filter(({ hook }) => hook !== "deploy"));
    },
  );

  it("3.3 depend on whether the source was and will be active", () => {
    expect([kindOf(true, true), kindOf(true, false), kindOf(false, true), kindOf(false, false)]).toEqual([
      "update",
      "pause",
      "resume",
      undefined,
    ]);
    expect(stepsOf(undefined, all)).toEqual([]);
  });

  it("have begun up to the first remaining one", () => {
    expect(stepsBegun("update", [deactivateOld, activateNew], all)).toEqual([deactivateOld]);
    expect(stepsBegun("update", [activateNew], all)).toEqual([deactivateOld, activateNew]);
    expect(stepsBegun("create", [activateNew], { ...all, after: ["activate"] })).toEqual([activateNew]);
  });
});

describe("the hooks that undo a change", () => {
  it.each([
    // A hook that threw has undone its own work.
    ["create", [deployNew], true, [deactivateNew]],
    ["create", [deployNew, activateNew], true, [deactivateNew]],
    ["update", [deactivateOld], true, []],
    ["update", [deactivateOld, activateNew], true, [activateOld]],
    ["pause", [deactivateOld], true, []],
    ["resume", [activateNew], true, []],
    ["delete", [deactivateOld], true, []],
    // A hook that was interrupted, or whose end could not be stored, may have finished its work.
    ["create", [deployNew], false, [deactivateNew]],
    ["update", [deactivateOld], false, [activateOld]],
    ["update", [deactivateOld, activateNew], false, [deactivateNew, activateOld]],
    ["pause", [deactivateOld], false, [activateOld]],
    ["resume", [activateNew], false, [deactivateNew]],
    ["delete", [deactivateOld], false, [activateOld]],
  ] as const)("S8 of a %s with %j begun, thrown %s: %j", (kind, begun, threw, steps) => {
    expect(stepsBack(kind, begun, threw, all)).toEqual(steps);
    expect(stepsBack(kind, begun, threw, none)).toEqual([]);
  });

  it.each(["create", "update", "pause", "resume", "delete", undefined] as const)(
    "are none for a %s of which no hook has begun",
    (kind) => {
      expect(stepsBack(kind, [], false, all)).toEqual([]);
    },
  );
});

describe("the recovery of an unfinished change", () => {
  const unfinished = (given: Partial<Unfinished>): Unfinished => ({
    kind: "update",
    towards: "after",
    ahead: [deactivateOld, activateNew],
    crashes: 1,
    ...given,
  });

  it("R076 undoes a create, because no client knows the source", () => {
    const create = unfinished({ kind: "create", ahead: [activateNew] });
    expect(planRecovery(create, undefined, all)).toEqual({ do: "goBack", steps: [deactivateNew] });
    expect(planRecovery(create, undefined, { ...all, after: ["activate"] })).toEqual({ do: "goBack", steps: [] });
  });

  it.each([
    ["update", [deactivateOld, activateNew]],
    ["update", [activateNew]],
    ["pause", [deactivateOld]],
    ["resume", [activateNew]],
    ["delete", [deactivateOld]],
  ] as const)("R077 R078 R079 continues a %s with the interrupted hook: %j", (kind, ahead) => {
    expect(planRecovery(unfinished({ kind, ahead }), stored, all)).toEqual({ do: "goOn", steps: ahead });
  });

  it("S8 continues to undo a change", () => {
    const undone = unfinished({ towards: "before", ahead: [activateOld] });
    expect(planRecovery(undone, stored, all)).toEqual({ do: "goBack", steps: [activateOld] });
    const nothingLeft = unfinished({ kind: "create", towards: "before", ahead: [] });
    expect(planRecovery(nothingLeft, undefined, all)).toEqual({ do: "goBack", steps: [] });
  });

  it("S24 gives up after three crashes", () => {
    expect(planRecovery(unfinished({ crashes: 2 }), stored, all)).toMatchObject({ do: "goOn" });
    for (const kind of ["create", "update", "delete"] as const)
      expect(planRecovery(unfinished({ kind, crashes: 3 }), stored, all)).toEqual({ do: "giveUp" });
  });

  it("forgets a change whose source does not exist", () => {
    expect(planRecovery(unfinished({}), undefined, all)).toEqual({ do: "forget" });
  });
});
