import { isAbandoned } from "../invocation/inbox/abandonment.ts";
import type { HookName, HookStep, TransitionKind } from "@x/model";

/** The hooks that the component of a source has, before and after its change. */
export interface DeclaredHooks {
  readonly before: readonly HookName[];
  readonly after: readonly HookName[];
}

const deactivateOld: HookStep = { hook: "deactivate", of: "before" };
const activateNew: HookStep = { hook: "activate", of: "after" };

/** Hook order of every kind of change. */
const order: { readonly [kind in TransitionKind]: readonly HookStep[] } = {
  create: [{ hook: "deploy", of: "after" }, activateNew],
  update: [deactivateOld, activateNew],
  pause: [deactivateOld],
  resume: [activateNew],
  delete: [deactivateOld],
};

/** The kind of a change of an existing source; undefined: an inactive source stays inactive, without a hook. */
export function kindOf(wasActive: boolean, willBeActive: boolean): TransitionKind | undefined {
  if (wasActive) return willBeActive ? "update" : "pause";
  return willBeActive ? "resume" : undefined;
}

const declared = (steps: readonly HookStep[], hooks: DeclaredHooks): HookStep[] =>
  steps.filter(({ hook, of }) => hooks[of].includes(hook));

/** The hooks of a change, in their order. */
export const stepsOf = (kind: TransitionKind | undefined, hooks: DeclaredHooks): readonly HookStep[] =>
  kind === undefined ? [] : declared(order[kind], hooks);

/**
 * The hooks that undo a change of which the hooks in `begun` have begun. A hook that `threw` has undone its own work; an
 * interrupted hook may have finished its work.
 */
export function stepsBack(
  kind: TransitionKind | undefined,
  begun: readonly HookStep[],
  threw: boolean,
  hooks: DeclaredHooks,
): readonly HookStep[] {
  const [begunOld, begunNew] = [begun.some(({ of }) => of === "before"), begun.some(({ of }) => of === "after")];
  if (threw && !begunNew) return [];
  const back: HookStep[] = [];
  if (begunNew && (kind === "create" || !threw)) back.push({ hook: "deactivate", of: "after" });
  if (kind !== "create" && kind !== "resume" && (begunOld || begunNew)) back.push({ hook: "activate", of: "before" });
  return declared(back, hooks);
}

/** All hooks of a change that have begun, when the hooks in `ahead` remain and the first of them has begun. */
export function stepsBegun(
  kind: TransitionKind | undefined,
  ahead: readonly HookStep[],
  hooks: DeclaredHooks,
): readonly HookStep[] {
  const steps = stepsOf(kind, hooks);
  return steps.slice(0, steps.length - ahead.length + 1);
}

/** A change that a process left unfinished. */
export interface Unfinished {
  readonly kind: TransitionKind;
  readonly towards: "after" | "before";
  readonly ahead: readonly HookStep[];
  readonly crashes: number;
}

/** `forget`: the source no longer exists. */
export type RecoveryPlan =
  | { readonly do: "forget" | "giveUp" }
  | { readonly do: "goOn" | "goBack"; readonly steps: readonly HookStep[] };

/**
 * Decides how an unfinished change is recovered. A create is undone, because no client knows the source. Every other change
 * continues: the interrupted hook runs again, then the remaining ones. An undo continues as an undo.
 */
export function planRecovery(
  { kind, towards, ahead, crashes }: Unfinished,
  /** Undefined: the source does not exist. */
  stored: object | undefined,
  hooks: DeclaredHooks,
): RecoveryPlan {
  if (!stored && kind !== "create") return { do: "forget" };
  if (isAbandoned(crashes)) return { do: "giveUp" };
  if (towards === "before") return { do: "goBack", steps: ahead };
  if (kind !== "create") return { do: "goOn", steps: ahead };
  return { do: "goBack", steps: stepsBack(kind, stepsBegun(kind, ahead, hooks), false, hooks) };
}
