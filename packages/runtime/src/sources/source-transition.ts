import { XError } from "../model/errors.ts";
import { noteError } from "../invocation/records/note-error.ts";
import type { Settled } from "../invocation/settle.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Component, HookName, HookStep, Source, TimerValue, TransitionKind, TriggerHead } from "../model/model.ts";
import type { Logger } from "../api/options.ts";
import type { Change, StoredTransition } from "../store/contract.ts";
import { HookRuns, type HookRunsParts } from "./hook-runs.ts";
import { replay } from "./replay.ts";
import { type DeclaredHooks, stepsBack, stepsBegun, stepsOf } from "./transition-plan.ts";

export interface SourceTransitionParts extends HookRunsParts {
  readonly logger: Logger;
  /** Gives triggers back to the source's lane. */
  resume(triggers: readonly TriggerHead[]): void;
  /** The change that sets the source's timer, given its state before; and its effect after the commit. */
  timerChange(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  timerCommitted(change: Change): void;
  /** Goes back to where the source was, when the store takes it again. */
  later(unfinished: StoredTransition): void;
}

/** What a change makes of a source. */
export interface SourceChange {
  /** Undefined: an inactive source stays inactive. */
  readonly kind: TransitionKind | undefined;
  /** As it will be; that of a delete, as it is. */
  readonly source: Source;
  readonly component: Component;
  /** Undefined: it is new. */
  readonly before: CachedSource | undefined;
  /** What is committed with the source. */
  readonly also: readonly Change[];
  readonly ignoreHookErrors: boolean;
}

/** A hook that threw. */
export interface Thrown {
  readonly hook: HookName;
  readonly error: NonNullable<Settled["execution"]["error"]>;
}

/** A change works on a copy: when it fails, nothing has happened. */
const copyOf = (cached: CachedSource): CachedSource => ({
  ...cached,
  db: new Map(cached.db),
  untrimmed: new Map(cached.untrimmed),
});

const isComponentPut = (change: Change): change is Extract<Change, { op: "component.put" }> =>
  change.op === "component.put";

/** All that a hook needs of those before it, when the events of these are not for anybody. */
const dbWrites = (changes: readonly Change[]): readonly Change[] => changes.filter(({ op }) => op === "db.set");

/**
 * One change of a source on its way through its hooks, in the source's lane. Before each hook the store knows of it, with
 * all that the hooks before have left; the last commit takes that note away.
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

  /** `stored`: a former process began it. */
  constructor(change: SourceChange, parts: SourceTransitionParts, stored?: StoredTransition) {
    const { kind, source, component, before, also } = change;
    this.change = change;
    this.#parts = parts;
    this.#stored = stored;
    this.#crashes = stored?.crashes ?? 0;
    this.#areTextsStored = stored !== undefined;
    this.#put = also.find(isComponentPut);
    this.#hooks = { before: before?.component.shape.hooks ?? [], after: component.shape.hooks };
    this.#begun = stored ? stepsBegun(kind, stored.ahead, this.#hooks) : [];
    this.#isEntered = kind === "create" || kind === "delete";
    const made = { source, component, dedupe: {}, heads: {}, db: new Map(), untrimmed: new Map() };
    this.runs = new HookRuns(before ? copyOf(before) : made, parts);
    if (stored) this.runs.add({ ...replay(this.runs.cached, stored.changes), execution: { logs: [] } });
  }

  /** As the store has it by now; undefined when it knows nothing of it. */
  get stored(): StoredTransition | undefined {
    return this.#stored;
  }

  get hooks(): DeclaredHooks {
    return this.#hooks;
  }

  /** Runs its hooks, or those that are left; ends at one that throws, unless `passes` it. Then the source is as it will be. */
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

  /** Commits what the hooks have left with the source as it is now. */
  async commit(changes: readonly Change[]): Promise<void> {
    await this.runs.commit([...this.change.also, ...this.ended(), ...changes]);
    this.#parts.resume(this.runs.broken);
  }

  /** What the last commit adds. */
  ended(): readonly Change[] {
    return this.#stored ? [{ op: "transition.delete", sourceId: this.change.source.id }] : [];
  }

  /** The hooks that lead back to where the source was; `threw`: the last that has begun did. */
  wayBack(threw: boolean): readonly HookStep[] {
    return stepsBack(this.change.kind, this.#begun, threw, this.#hooks);
  }

  /** Leaves the source as it was. What cannot be done now is done when the store takes it, or at the next start. */
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

  /** Runs these hooks and commits the source as it was; inactive when the old `activate` throws (S8). */
  async back(steps: readonly HookStep[], note?: string): Promise<void> {
    const { before } = this.change;
    const old = before && new HookRuns(copyOf(before), this.#parts);
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

  /** Ends it without a hook: a source that is not new is left inactive, and its `$errors` say why. */
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

  /** Of a source that never came to be. */
  async #remove(): Promise<void> {
    const { id } = this.change.source;
    await this.#parts.externalDb?.delete(id);
    // Requests that came during the hooks left rows in the inbox.
    if (this.runs.handled.length > 0 || this.#stored) await this.#parts.store.commit([{ op: "source.delete", id }]);
    this.#stored = undefined;
  }

  /** From now on the component is the new one. */
  #enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    const { source, component, before } = this.change;
    const { cached } = this.runs;
    const strategyChanged = before?.component.shape.dedupe !== component.shape.dedupe;
    Object.assign(cached, { source, component }, strategyChanged ? { dedupe: {} } : {});
    if (before?.component.id !== component.id) this.runs.warn(component.shape.warnings);
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
      // The hooks of an update before its last one emit nothing; what was undone leaves nothing.
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
