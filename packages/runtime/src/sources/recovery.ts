import {
  XError,
  effectiveComponent,
  errorText,
  isStoreFailure,
  timerOf,
  type Dispatcher,
  type Holding,
  type HookStep,
} from "@x/model";
import type { StoredTransition } from "@x/store";
import { isSuspect } from "../invocation/inbox/abandonment.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { commitDelete, commitUpdate, deletionOf, type LifecycleParts } from "./lifecycle.ts";
import { SourceTransition } from "./source-transition.ts";
import { planRecovery } from "./transition-plan.ts";

export interface RecoveryParts extends LifecycleParts {
  readonly dispatcher: Dispatcher;
  /** One lane for all changes that may have crashed the process. */
  readonly suspects: Dispatcher;
  readonly holding: Pick<Holding, "mayRun">;
  /** Runs what waited while the source was inactive; removes what waited for a deleted source. */
  release(id: string): Promise<void>;
  /** Reserves the slug; returns a function that releases it. */
  holdSlug(userId: string, slug: string): () => void;
}

/** Unfinished changes of sources: a former process left them, or the store refused their last commit. */
export interface Recovery {
  /** Finishes all of them, or begins to know and finish `left`; each in the lane of its source. */
  start(left?: readonly StoredTransition[]): void;
  /** Leaves the changes of these sources to another process. */
  forget(isGone: (sourceId: string) => boolean): void;
  /** Finishes a change later, when the store accepts commits again. */
  later(unfinished: StoredTransition): void;
  /** Finishes the change of this source, if there is one. Called in its lane, before another change begins. */
  finish(sourceId: string): Promise<void>;
}

/** How long a change waits after a failed commit. */
const retryMs = 1_000;

const named = (steps: readonly HookStep[]): string => steps.map(({ hook }) => hook).join(", ");

/** Unfinished changes by source. Each holds the slug of its source. */
interface Unfinished {
  keep(transition: StoredTransition): void;
  find(sourceId: string): StoredTransition | undefined;
  drop(sourceId: string): void;
  sourceIds(): string[];
}

function createUnfinished({ holdSlug }: Pick<RecoveryParts, "holdSlug">): Unfinished {
  const unfinished = new Map<string, { transition: StoredTransition; readonly releaseSlug: () => void }>();
  return {
    keep(transition) {
      const { id, userId, nameSlug } = transition.source;
      const releaseSlug = unfinished.get(id)?.releaseSlug ?? holdSlug(userId, nameSlug);
      unfinished.set(id, { transition, releaseSlug });
    },
    find: (sourceId) => unfinished.get(sourceId)?.transition,
    drop(sourceId) {
      unfinished.get(sourceId)?.releaseSlug();
      unfinished.delete(sourceId);
    },
    sourceIds: () => [...unfinished.keys()],
  };
}

export function createRecovery(left: readonly StoredTransition[], parts: RecoveryParts): Recovery {
  const { store, sourceCache, dispatcher, suspects, clock, logger } = parts;
  const { keep, drop, ...unfinished } = createUnfinished(parts);
  for (const transition of left) keep(transition);

  /** The change in the state in which its process ended. */
  async function resume(
    transition: StoredTransition,
    before: CachedSource | undefined,
  ): Promise<SourceTransition | undefined> {
    const { kind, source, unsaved, ignoreHookErrors } = transition;
    if (kind === "delete")
      return before && new SourceTransition({ ...deletionOf(before, ignoreHookErrors), kind }, parts, transition);
    const saved = unsaved ?? (await store.component(source.componentId));
    if (!saved) return undefined;
    const component = effectiveComponent(saved, source.dynamicProps);
    const extraChanges = unsaved ? [{ op: "component.put", component: unsaved } as const] : [];
    return new SourceTransition({ kind, source, component, before, extraChanges, ignoreHookErrors }, parts, transition);
  }

  async function continueChange(change: SourceTransition, steps: readonly HookStep[]): Promise<void> {
    const { kind, before, ignoreHookErrors } = change.change;
    const ended = `The process ended during the ${kind} of this source, in its ${steps[0]?.hook} hook`;
    // A repeated deactivate may fail because the first one succeeded.
    const thrown = await change.forward(({ hook }) => ignoreHookErrors || hook === "deactivate", steps);
    if (thrown) {
      const back = change.wayBack(false);
      await change.back(
        back,
        `${ended}; ${thrown.hook} then failed: ${thrown.error.message}. Undone by ${named(back)}.`,
      );
    } else if (kind === "delete") await commitDelete(change, parts);
    else {
      change.runs.note(`${ended}; continued with ${named(steps)}.`);
      const timer = before && timerOf(before.source, before.component);
      await commitUpdate(change, timer && before.source.active ? { timer } : undefined, parts);
    }
  }

  async function complete(transition: StoredTransition): Promise<void> {
    const { kind, crashes, source, ahead } = transition;
    const before = kind === "create" ? undefined : await sourceCache.find(source.id);
    const change = await resume(transition, before);
    const plan = change ? planRecovery(transition, before, change.hooks) : ({ do: "forget" } as const);
    const entry = ahead[0]?.hook ?? "activate";
    logger.warn("a change was not finished", { source: source.id, change: kind, hook: entry, action: plan.do });
    if (!change || plan.do === "forget") return store.commit([{ op: "transition.delete", sourceId: source.id }]);
    try {
      if (plan.do === "goOn") await continueChange(change, plan.steps);
      else if (plan.do === "goBack") {
        const note = `The process ended during the ${kind} of this source. Undone${plan.steps.length > 0 ? ` by ${named(plan.steps)}` : ""}.`;
        await change.back(plan.steps, note);
      } else await change.giveUp(entry, errorText("transition_abandoned", kind, source.id, String(crashes)));
    } catch (error) {
      const code = XError.is(error) ? error.code : "internal";
      if (code === "closed" || isStoreFailure(code)) {
        keep(change.stored ?? transition);
        throw error;
      }
      // Any other error would occur again at each attempt.
      logger.error("a change could not be finished", { source: source.id, change: kind, error: String(error) });
      await change.giveUp(entry, errorText("transition_abandoned", kind, source.id, String(crashes)));
    }
  }

  async function finish(sourceId: string): Promise<void> {
    const transition = unfinished.find(sourceId);
    if (!transition) return;
    if (!parts.holding.mayRun(sourceId)) return drop(sourceId);
    await (isSuspect(transition.crashes) ? suspects.run("", () => complete(transition)) : complete(transition));
    drop(sourceId);
    await parts.release(sourceId);
  }

  function run(sourceId: string): void {
    dispatcher
      .run(sourceId, () => finish(sourceId), "first")
      .catch((error: unknown) => {
        if (XError.is(error) && error.code === "closed") return;
        logger.error("a change of a source could not be finished yet", { source: sourceId, error: String(error) });
        clock.wakeAt(clock.now() + retryMs, () => run(sourceId));
      });
  }

  return {
    start(more) {
      more?.forEach(keep);
      (more?.map(({ source }) => source.id) ?? unfinished.sourceIds()).forEach(run);
    },
    forget: (isGone) => unfinished.sourceIds().filter(isGone).forEach(drop),
    later(transition) {
      keep(transition);
      clock.wakeAt(clock.now() + retryMs, () => run(transition.source.id));
    },
    finish,
  };
}
