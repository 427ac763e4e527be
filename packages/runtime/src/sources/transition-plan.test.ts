import { describe, expect, it } from "vitest";

import type { HookStep } from "../model/model.ts";
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
  ] as const)("R076 R077 R078 R079 of a %s, in their order, where the component has them", (kind, steps) => {
    expect(stepsOf(kind, all)).toEqual(steps);
    expect(stepsOf(kind, none)).toEqual([]);
    expect(stepsOf(kind, { ...all, after: ["activate"] })).toEqual(steps.filter(({ hook }) => hook !== "deploy"));
  });

  it("3.3 follow from whether the source was and will be active", () => {
    expect([kindOf(true, true), kindOf(true, false), kindOf(false, true), kindOf(false, false)]).toEqual([
      "update",
      "pause",
      "resume",
      undefined,
    ]);
    expect(stepsOf(undefined, all)).toEqual([]);
  });

  it("have begun up to the first that is left", () => {
    expect(stepsBegun("update", [deactivateOld, activateNew], all)).toEqual([deactivateOld]);
    expect(stepsBegun("update", [activateNew], all)).toEqual([deactivateOld, activateNew]);
    expect(stepsBegun("create", [activateNew], { ...all, after: ["activate"] })).toEqual([activateNew]);
  });
});

describe("the hooks that lead back", () => {
  it.each([
    // Where one threw, it took its own work back.
    ["create", [deployNew], true, [deactivateNew]],
    ["create", [deployNew, activateNew], true, [deactivateNew]],
    ["update", [deactivateOld], true, []],
    ["update", [deactivateOld, activateNew], true, [activateOld]],
    ["pause", [deactivateOld], true, []],
    ["resume", [activateNew], true, []],
    ["delete", [deactivateOld], true, []],
    // Where one was cut off, or its end could not be stored, it may have done its work.
    ["create", [deployNew], false, [deactivateNew]],
    ["update", [deactivateOld], false, [activateOld]],
    ["update", [deactivateOld, activateNew], false, [deactivateNew, activateOld]],
    ["pause", [deactivateOld], false, [activateOld]],
    ["resume", [activateNew], false, [deactivateNew]],
    ["delete", [deactivateOld], false, [activateOld]],
  ] as const)("S8 from a %s with %j begun, thrown %s: %j", (kind, begun, threw, steps) => {
    expect(stepsBack(kind, begun, threw, all)).toEqual(steps);
    expect(stepsBack(kind, begun, threw, none)).toEqual([]);
  });

  it.each(["create", "update", "pause", "resume", "delete", undefined] as const)(
    "are none from a %s of which nothing has begun",
    (kind) => {
      expect(stepsBack(kind, [], false, all)).toEqual([]);
    },
  );
});

describe("what becomes of a change that was not ended", () => {
  const unfinished = (given: Partial<Unfinished>): Unfinished => ({
    kind: "update",
    towards: "after",
    ahead: [deactivateOld, activateNew],
    crashes: 1,
    ...given,
  });

  it("R076 a create is undone: nobody knows of the source", () => {
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
  ] as const)("R077 R078 R079 a %s goes on with the hook that was cut off: %j", (kind, ahead) => {
    expect(planRecovery(unfinished({ kind, ahead }), stored, all)).toEqual({ do: "goOn", steps: ahead });
  });

  it("S8 what was being undone is undone", () => {
    const undone = unfinished({ towards: "before", ahead: [activateOld] });
    expect(planRecovery(undone, stored, all)).toEqual({ do: "goBack", steps: [activateOld] });
    const nothingLeft = unfinished({ kind: "create", towards: "before", ahead: [] });
    expect(planRecovery(nothingLeft, undefined, all)).toEqual({ do: "goBack", steps: [] });
  });

  it("S24 is given up after three crashes", () => {
    expect(planRecovery(unfinished({ crashes: 2 }), stored, all)).toMatchObject({ do: "goOn" });
    for (const kind of ["create", "update", "delete"] as const)
      expect(planRecovery(unfinished({ kind, crashes: 3 }), stored, all)).toEqual({ do: "giveUp" });
  });

  it("is forgotten with its source", () => {
    expect(planRecovery(unfinished({}), undefined, all)).toEqual({ do: "forget" });
  });
});
