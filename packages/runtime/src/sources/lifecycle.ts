import {
  XError,
  type Component,
  type ComponentWarning,
  type HookStep,
  type LogRecord,
  type Source,
  type TimerValue,
} from "@x/model";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Change } from "@x/store";
import type { RestoredSource } from "./restored-source.ts";
import { SourceTransition, type SourceTransitionParts, type Thrown } from "./source-transition.ts";
import { kindOf } from "./transition-plan.ts";

export interface LifecycleParts extends SourceTransitionParts {
  /** The subscriptions to a new source by auto-subscriptions. */
  subscriptionsFor(source: Source): Change[];
  readonly endpointSources: {
    /** Forgets the endpoints of a deleted source. */
    forget(source: Source): void;
  };
}

function hookFailed({ hook, error }: Thrown, logs: readonly LogRecord[]): XError {
  return new XError("hook_failed", [hook, error.message], {
    details: {
      hook,
      error_code: error.code,
      name: error.name,
      stack: error.stack,
      ...(error.hint !== undefined && { hint: error.hint }),
      observations: logs,
    },
  });
}

export interface SourceDeploy {
  readonly source: Source;
  readonly component: Component;
  /** What is committed with the source. */
  readonly extraChanges: readonly Change[];
  /** More of that, computed right before the commit. */
  readonly lastly?: () => readonly Change[];
  /** The state of a source that was deployed before: no hook runs. */
  readonly restored?: RestoredSource;
}

/**
 * Runs the hooks of a change, then commits it. When that fails, the source stays as it was. A change that the end of the
 * runtime interrupts continues at the next start.
 */
async function apply(
  transition: SourceTransition,
  passes: (thrown: Thrown) => boolean,
  commit: () => Promise<void>,
  ahead?: readonly HookStep[],
): Promise<void> {
  let thrown: Thrown | undefined;
  try {
    thrown = await transition.forward(passes, ahead);
    if (!thrown) return await commit();
  } catch (error) {
    if (!XError.is(error) || error.code !== "closed") await transition.abort(false);
    throw error;
  }
  await transition.abort(true);
  throw hookFailed(thrown, transition.runs.logs);
}

const never = (): boolean => false;

/** Creates a source: deploy hook, activate hook, one commit. A failure leaves nothing. */
export async function deploySource(
  { source, component, extraChanges, lastly, restored }: SourceDeploy,
  parts: LifecycleParts,
): Promise<void> {
  const change = {
    kind: "create",
    source,
    component,
    extraChanges,
    before: undefined,
    ignoreHookErrors: false,
  } as const;
  const transition = new SourceTransition(change, parts);
  transition.runs.warn("component");
  if (restored) transition.runs.restore(restored);
  const commit = async (): Promise<void> => {
    const timer = await parts.timerChange(source, component, undefined);
    const first = [...parts.subscriptionsFor(source), ...(lastly?.() ?? [])];
    await transition.commit([{ op: "source.put", source }, timer, ...first]);
    parts.timerCommitted(timer);
  };
  await apply(transition, never, commit, restored && []);
}

export interface SourceUpdate extends SourceDeploy {
  readonly ignoreHookErrors: boolean;
  readonly kept: readonly ComponentWarning[];
  /** The previous schedule: an unchanged schedule keeps the time of its next tick. */
  readonly previousTimer: { readonly timer: TimerValue } | undefined;
}

/** Replaces code, props or state of a source: deactivate, replace, activate. Called in its lane. */
export async function updateSource(update: SourceUpdate, parts: LifecycleParts): Promise<void> {
  const { source, ignoreHookErrors, previousTimer } = update;
  const before = await parts.sourceCache.get(source.id);
  const kind = kindOf(before.source.active, source.active);
  const transition = new SourceTransition({ ...update, kind, before }, parts);
  await apply(
    transition,
    () => ignoreHookErrors,
    () => commitUpdate(transition, previousTimer, parts),
  );
}

/** Commits an update after its hooks. */
export async function commitUpdate(
  transition: SourceTransition,
  previousTimer: SourceUpdate["previousTimer"],
  parts: LifecycleParts,
): Promise<void> {
  const { source, component } = transition.change;
  const timer = await parts.timerChange(source, component, previousTimer);
  await transition.commit([{ op: "source.put", source }, timer]);
  parts.timerCommitted(timer);
}

/** Runs the deactivate hook, then deletes the source and all its data. Called in its lane. */
export async function deleteSource(id: string, ignoreHookErrors: boolean, parts: LifecycleParts): Promise<void> {
  const before = await parts.sourceCache.get(id);
  const transition = new SourceTransition(deletionOf(before, ignoreHookErrors), parts);
  const passes = ({ error }: Thrown): boolean => {
    if (ignoreHookErrors)
      parts.logger.warn("deactivate failed; the source is deleted anyway", { source: id, error: error.message });
    return ignoreHookErrors;
  };
  await apply(transition, passes, () => commitDelete(transition, parts));
}

/** The deletion of an inactive source runs no hook. */
export const deletionOf = (before: CachedSource, ignoreHookErrors: boolean): SourceTransition["change"] => ({
  kind: before.source.active ? "delete" : undefined,
  source: before.source,
  component: before.component,
  before,
  extraChanges: [],
  ignoreHookErrors,
});

export async function commitDelete(transition: SourceTransition, parts: LifecycleParts): Promise<void> {
  const { source } = transition.change;
  const { id } = source;
  await parts.store.commit([{ op: "source.delete", id }, ...transition.shared()]);
  parts.observer.changed("delete", source);
  parts.sourceCache.forget(id);
  parts.recorder.forget(id);
  parts.endpointSources.forget(source);
  await parts.externalDb?.delete(id);
  parts.timerCommitted({ op: "timer.set", sourceId: id, next: undefined });
}
