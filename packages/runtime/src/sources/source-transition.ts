import { undoneExecutions } from "../executions/undone.ts";
import {
  XError,
  timerOf,
  type Component,
  type ComponentWarning,
  type HookName,
  type HookStep,
  type Logger,
  type Source,
  type TimerValue,
  type TransitionKind,
  type TriggerHead,
} from "@x/model";
import { noteError } from "../invocation/records/notes.ts";
import type { Settled } from "../invocation/settle.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Change, StoredTransition } from "@x/store";
import { HookRuns, type HookRunsParts } from "./hook-runs.ts";
import { replay } from "./replay.ts";
import { isSameSchedule } from "../timers/timer.ts";
import { type DeclaredHooks, stepsBack, stepsBegun, stepsOf } from "./transition-plan.ts";

export interface SourceTransitionParts extends HookRunsParts {
  readonly logger: Logger;
  /** Puts triggers back into the source's lane. */
  resume(triggers: readonly TriggerHead[]): void;
  /** The change that sets the source's timer, given its previous state. */
  timerChange(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  /** Called after the commit of that change. */
  timerCommitted(change: Change): void;
  /** Undoes the change later, when the store accepts commits again. */
  later(unfinished: StoredTransition): void;
}

type Sourced = Pick<CachedSource, "source" | "component">;

function keepsSchedule(before: Sourced, after: Sourced): boolean {
  const [was, is] = [timerOf(before.source, before.component), timerOf(after.source, after.component)];
  return was !== undefined && is !== undefined && isSameSchedule(was, is);
}

/** A change of a source. */
export interface SourceChange {
  /** Undefined: an inactive source stays inactive, without hooks. */
  readonly kind: TransitionKind | undefined;
  /** The source after the change; for a delete, as it is. */
  readonly source: Source;
  readonly component: Component;
  /** Undefined: the source is new. */
  readonly before: CachedSource | undefined;
  /** What is committed with the source. */
  readonly extraChanges: readonly Change[];
  readonly ignoreHookErrors: boolean;
  /** Warnings of defaults of a new version that the source does not take. */
  readonly kept?: readonly ComponentWarning[];
}

/** A hook that threw. */
export interface Thrown {
  readonly hook: HookName;
  readonly error: NonNullable<Settled["execution"]["error"]>;
}

/** A change works on a copy, so that a failure has no effect. */
const copyOf = (cached: CachedSource): CachedSource => ({
  ...cached,
  db: new Map(cached.db),
  untrimmed: new Map(cached.untrimmed),
});

const isComponentPut = (change: Change): change is Extract<Change, { op: "component.put" }> =>
  change.op === "component.put";

/** What later hooks need of earlier ones whose events are not published. */
const dbWrites = (changes: readonly Change[]): readonly Change[] =>
  changes.filter(({ op }) => op === "db.set" || op === "data_store.set");

/**
 * One change of a source and its hooks, in the source's lane. Before each hook the change is stored with the results of the
 * hooks before it; the last commit deletes that record.
 */
export class SourceTransition {
  readonly change: SourceChange;
  readonly runs: HookRuns;
  readonly #parts: SourceTransitionParts;
  readonly #hooks: DeclaredHooks;
  readonly #put: Extract<Change, { op: "component.put" }> | undefined;
  readonly #crashes: number;
  #begun: readonly HookStep[];
  #isEntered: boolean;
  #areTextsStored: boolean;
  #stored: StoredTransition | undefined;

  /** `stored`: the record of a change that a former process began. */
  constructor(change: SourceChange, parts: SourceTransitionParts, stored?: StoredTransition) {
    const { kind, source, component, before, extraChanges } = change;
    this.change = change;
    this.#parts = parts;
    this.#stored = stored;
    this.#crashes = stored?.crashes ?? 0;
    this.#areTextsStored = stored !== undefined;
    this.#put = extraChanges.find(isComponentPut);
    this.#hooks = { before: before?.component.shape.hooks ?? [], after: component.shape.hooks };
    this.#begun = stored ? stepsBegun(kind, stored.ahead, this.#hooks) : [];
    this.#isEntered = kind === "create" || kind === "delete";
    const made = { source, component, dedupe: {}, heads: {}, db: new Map(), untrimmed: new Map() };
    this.runs = new HookRuns(before ? copyOf(before) : made, parts);
    if (stored) this.runs.add({ ...replay(this.runs.cached, stored.changes), execution: { logs: [] } });
  }

  /** The stored record; undefined: nothing is stored. */
  get stored(): StoredTransition | undefined {
    return this.#stored;
  }

  get hooks(): DeclaredHooks {
    return this.#hooks;
  }

  /** Runs the hooks, or those that remain. Returns the first exception for which `passes` is false. */
  async forward(
    passes: (thrown: Thrown) => boolean,
    ahead: readonly HookStep[] = stepsOf(this.change.kind, this.#hooks),
  ): Promise<Thrown | undefined> {
    for (const [index, step] of ahead.entries()) {
      await this.#begin("after", ahead.slice(index));
      this.#begun = stepsBegun(this.change.kind, ahead.slice(index), this.#hooks);
      if (step.of === "after") this.#enter();
      const error = await (step.hook === "deactivate" ? this.runs.run(step.hook) : this.runs.runOpen(step.hook));
      const thrown = error && { hook: step.hook, error };
      if (thrown && !passes(thrown)) return thrown;
    }
    this.#enter();
    return undefined;
  }

  /** Commits the results of the hooks, and `changes`. */
  async commit(changes: readonly Change[]): Promise<void> {
    const { kind, source, before } = this.change;
    await this.runs.commit([...this.change.extraChanges, ...this.ended(), ...changes]);
    this.#parts.observer.changed(kind ?? (before ? "update" : "create"), source);
    this.#parts.resume(this.runs.broken);
  }

  /** What the hooks wrote to data stores, which outlives the source. */
  shared(): readonly Change[] {
    return this.runs.changes.filter(({ op }) => op === "data_store.set");
  }

  /** Deletes the stored record; part of the last commit. */
  ended(): readonly Change[] {
    return this.#stored ? [{ op: "transition.delete", sourceId: this.change.source.id }] : [];
  }

  /** The hooks that undo the change; `threw`: the last hook that has begun threw. */
  wayBack(threw: boolean): readonly HookStep[] {
    return stepsBack(this.change.kind, this.#begun, threw, this.#hooks);
  }

  /** Undoes the change. When that fails, it is undone when the store accepts commits again, or at the next start. */
  async abort(threw: boolean): Promise<void> {
    const steps = this.wayBack(threw);
    try {
      await this.back(steps);
    } catch (error) {
      if (XError.is(error) && error.code === "closed") return;
      const { source } = this.change;
      this.#parts.logger.error("a change could not be undone yet", { source: source.id, error: String(error) });
      const known = this.#stored?.towards === "before" ? this.#stored : undefined;
      const unfinished = known ?? this.#record("before", steps);
      if (unfinished) this.#parts.later({ ...unfinished, running: false });
      this.#parts.resume(this.runs.handled);
    }
  }

  /** Runs these hooks and commits the source as it was; inactive when the old `activate` throws. */
  async back(steps: readonly HookStep[], note?: string): Promise<void> {
    const { before } = this.change;
    const old = before && new HookRuns(copyOf(before), this.#parts);
    old?.changes.push(...undoneExecutions(this.runs.changes));
    let isActive = before?.source.active ?? false;
    for (const [index, step] of steps.entries()) {
      await this.#begin("before", steps.slice(index));
      if (step.of === "before") isActive = (await old?.runOpen("activate")) === null;
      else await this.#cleanUp();
    }
    if (!before || !old) return this.#remove();
    if (note !== undefined) old.note(note);
    if (isActive === before.source.active) await this.#commitOld(old, []);
    else await this.#leaveInactive(old);
    this.#parts.resume([...this.runs.handled, ...old.broken]);
  }

  /** Abandons the change without a hook: deletes a new source, or makes the source inactive with a record in `$errors`. */
  async giveUp(entry: string, text: string): Promise<void> {
    const { before } = this.change;
    if (!before) return this.#remove();
    const old = new HookRuns(copyOf(before), this.#parts);
    old.add(noteError(old.cached, { entry, code: "transition_abandoned", text }, this.#parts.settleRules()));
    await this.#leaveInactive(old);
  }

  async #leaveInactive(old: HookRuns): Promise<void> {
    const { component } = old.cached;
    const source = { ...old.cached.source, active: false, updatedAt: this.#parts.clock.now() };
    old.cached.source = source;
    const timer = await this.#parts.timerChange(source, component, undefined);
    await this.#commitOld(old, [{ op: "source.put", source }, timer]);
    this.#parts.timerCommitted(timer);
  }

  async #commitOld(old: HookRuns, changes: readonly Change[]): Promise<void> {
    const all = [...this.ended(), ...changes];
    if (all.length > 0 || old.changes.length > 0) await old.commit(all);
    this.#stored = undefined;
  }

  async #cleanUp(): Promise<void> {
    this.#enter();
    const error = await this.runs.run("deactivate");
    const { source, kind } = this.change;
    if (error)
      this.#parts.logger.warn(`deactivate failed after a failed ${kind === "create" ? "deploy" : "change"}`, {
        source: source.id,
        error: error.message,
      });
  }

  /** Deletes a new source. */
  async #remove(): Promise<void> {
    const { id } = this.change.source;
    await this.#parts.externalDb?.delete(id);
    // Requests during the hooks left rows in the inbox.
    if (this.runs.handled.length > 0 || this.#stored) await this.#parts.store.commit([{ op: "source.delete", id }]);
    this.#stored = undefined;
  }

  /** Replaces the old source and component with the new ones. */
  #enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    const { source, component, before, kept = [] } = this.change;
    const { cached } = this.runs;
    const strategyChanged = before?.component.shape.dedupe !== component.shape.dedupe;
    Object.assign(cached, { source, component }, strategyChanged ? { dedupe: {} } : {});
    if (before?.component.id !== component.id) this.runs.warn("component", kept);
    else if (!keepsSchedule(before, { source, component })) this.runs.warn("schedule");
    if (strategyChanged) this.runs.changes.push({ op: "dedupe.reset", sourceId: source.id });
  }

  #record(towards: StoredTransition["towards"], ahead: readonly HookStep[]): StoredTransition | undefined {
    const { kind, source, ignoreHookErrors } = this.change;
    if (kind === undefined) return undefined;
    const { changes } = this.runs;
    return {
      kind,
      source,
      ...(this.#put && { unsaved: this.#put.component }),
      ignoreHookErrors,
      towards,
      ahead,
      // For an update only the last hook emits events; an undone change publishes none.
      changes: kind === "create" || towards === "before" ? dbWrites(changes) : [...changes],
      crashes: this.#crashes,
      running: true,
    };
  }

  async #begin(towards: StoredTransition["towards"], ahead: readonly HookStep[]): Promise<void> {
    const transition = this.#record(towards, ahead);
    if (!transition) return;
    const texts = this.#areTextsStored ? undefined : this.#put?.texts;
    await this.#parts.store.commit([{ op: "transition.put", transition, ...(texts && { texts }) }]);
    this.#areTextsStored = true;
    this.#stored = transition;
  }
}
