import { crashLimit } from "../invocation/inbox/crash-limits.ts";
import type { HookName, HookStep, TransitionKind } from "../model/model.ts";

/** The hooks that the component of a source has, before and after its change. */
export interface DeclaredHooks {
  readonly before: readonly HookName[];
  readonly after: readonly HookName[];
}

const deactivateOld: HookStep = { hook: "deactivate", of: "before" };
const activateNew: HookStep = { hook: "activate", of: "after" };

/** Hook order of every transition (contract 3.3, "hook matrix"; R076-R079). */
const order: { readonly [kind in TransitionKind]: readonly HookStep[] } = {
  create: [{ hook: "deploy", of: "after" }, activateNew],
  update: [deactivateOld, activateNew],
  pause: [deactivateOld],
  resume: [activateNew],
  delete: [deactivateOld],
};

/** What a change of an existing source is; undefined: it is inactive, and stays so without a hook. */
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
 * The hooks that lead back to the source as it was, when those in `begun` have begun. One that `threw` took its own work
 * back (S8); one that was cut off may have done it.
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

/** Of a change whose hooks `ahead` are left, the first of them begun: all that have begun. */
export function stepsBegun(
  kind: TransitionKind | undefined,
  ahead: readonly HookStep[],
  hooks: DeclaredHooks,
): readonly HookStep[] {
  const steps = stepsOf(kind, hooks);
  return steps.slice(0, steps.length - ahead.length + 1);
}

/** The change that a process left unfinished. */
export interface Unfinished {
  readonly kind: TransitionKind;
  readonly towards: "after" | "before";
  readonly ahead: readonly HookStep[];
  readonly crashes: number;
}

/** What becomes of it. `forget`: it has outlived its source. */
export type RecoveryPlan =
  | { readonly do: "forget" | "giveUp" }
  | { readonly do: "goOn" | "goBack"; readonly steps: readonly HookStep[] };

/**
 * What is done about a change that a process left unfinished. A create is undone, because nobody knows of the source. Every
 * other change goes on: the hook that was cut off runs again, then those behind it. What was being undone is undone.
 */
export function planRecovery(
  { kind, towards, ahead, crashes }: Unfinished,
  /** Absent: there is no such source. */
  stored: object | undefined,
  hooks: DeclaredHooks,
): RecoveryPlan {
  if (!stored && kind !== "create") return { do: "forget" };
  if (crashes >= crashLimit) return { do: "giveUp" };
  if (towards === "before") return { do: "goBack", steps: ahead };
  if (kind !== "create") return { do: "goOn", steps: ahead };
  return { do: "goBack", steps: stepsBack(kind, stepsBegun(kind, ahead, hooks), false, hooks) };
}
