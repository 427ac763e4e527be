import {
  createDispatcher,
  newSortableId,
  scheduleWarnings,
  systemClock,
  type Clock,
  type ComponentWarning,
  type Execution,
  type HookName,
  type LoadedTrigger,
  type LogRecord,
  type StoredEvent,
} from "@x/model";
import type { EntryCall } from "../invocation/component-call.ts";
import { commitSettled, execute, type InvokeParts, triggerCall } from "../invocation/invoke.ts";
import { noteLogs, noteWarnings } from "../invocation/records/notes.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { CallHost, DbChange, GuestResponse } from "@x/sandbox";
import type { Settled } from "../invocation/settle.ts";
import type { Change } from "@x/store";
import type { RestoredSource } from "./restored-source.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface HookRunsParts extends InvokeParts {
  readonly clock: Clock;
  readonly transitions: Transitions;
}

type TellHook = Parameters<NonNullable<CallHost["followDb"]>>[0];

/** How long the answers to a hook wait for a run, which may itself wait for the service. */
const longestWaitMs = 2_000;

/** Resolves when the run has ended, successfully or not, at the latest after that time. */
async function endedSoon(run: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = systemClock.wakeAt(systemClock.now() + longestWaitMs, () => late.resolve());
  await Promise.race([run.catch(() => undefined), late.promise]);
  cancel();
}

/** Hooks that run in sequence on one source, and requests that run meanwhile. All results are committed together. */
export class HookRuns {
  readonly changes: Change[] = [];
  readonly events: StoredEvent[] = [];
  readonly logs: LogRecord[] = [];
  readonly cached: CachedSource;
  /** Triggers that ran during a hook; the commit removes them from the inbox. */
  readonly handled: LoadedTrigger[] = [];
  /** Those whose run was aborted. */
  readonly broken: LoadedTrigger[] = [];
  readonly #parts: HookRunsParts;
  readonly #beside = new Set<Promise<unknown>>();
  /** Those for which the answers to the hook wait. */
  readonly #awaited = new Set<Promise<void>>();
  /** What runs beside the hook have written to the db. */
  #dbChanges: DbChange[] = [];
  #tellHook: TellHook | undefined;
  readonly #settling = createDispatcher();

  constructor(cached: CachedSource, parts: HookRunsParts) {
    this.cached = cached;
    this.#parts = parts;
  }

  /** Runs a hook if the component has it, and collects its results, also when it fails. */
  async run(hook: HookName): Promise<Settled["execution"]["error"]> {
    if (!this.cached.component.shape.hooks.includes(hook)) return null;
    const at = this.#parts.clock.now();
    const followDb = (tell: TellHook): void => this.#follow(tell);
    const { execution } = await this.#execute(
      { entry: hook, event: "", executionId: newSortableId(at), type: "HOOK", at, followDb },
      { ...this.#parts, fetchFor: (...given) => this.#afterRuns(this.#parts.fetchFor(...given)) },
    );
    return execution.error;
  }

  /** Calls the component, and adds the results to those before. */
  async #execute(call: EntryCall, parts: HookRunsParts): Promise<Settled> {
    let turn: Disposable | undefined;
    const turnToSettle = async (): Promise<void> => {
      turn = await this.#settling.enter("");
    };
    try {
      const settled = await execute(this.cached, { ...call, turnToSettle, uncommitted: this.changes }, parts);
      this.add(settled);
      return settled;
    } finally {
      turn?.[Symbol.dispose]();
    }
  }

  /** Runs a hook during which the endpoint of the source answers requests. */
  async runOpen(hook: HookName): Promise<Settled["execution"]["error"]> {
    const { source, component } = this.cached;
    const { transitions } = this.#parts;
    this.#dbChanges = [];
    this.#tellHook = undefined;
    transitions.begin({ source, component, run: (trigger, respond) => this.#runBeside(trigger, respond) });
    try {
      return await this.run(hook);
    } finally {
      transitions.end(source.id);
      await Promise.allSettled(this.#beside);
    }
  }

  #runBeside(loading: Promise<LoadedTrigger>, respond?: (response: GuestResponse) => void): Promise<Execution> {
    const run = loading.then((trigger) => this.#runTrigger(trigger, respond));
    this.#beside.add(run);
    const soon = endedSoon(run).finally(() => this.#awaited.delete(soon));
    this.#awaited.add(soon);
    return run;
  }

  async #runTrigger(trigger: LoadedTrigger, respond?: (response: GuestResponse) => void): Promise<Execution> {
    this.handled.push(trigger);
    try {
      const settled = await this.#execute(triggerCall(trigger, respond), this.#parts);
      this.changes.push({ op: "trigger.remove", id: trigger.id });
      this.#passOn(settled.changes);
      return settled.execution;
    } catch (error) {
      this.broken.push(trigger);
      throw error;
    }
  }

  /** Gives the hook the db writes of a run beside it. */
  #passOn(changes: readonly Change[]): void {
    const written = changes.flatMap((change): DbChange[] =>
      change.op !== "db.set" ? [] : [change.value === undefined ? [change.key] : [change.key, change.value]],
    );
    if (written.length === 0) return;
    this.#dbChanges = this.#dbChanges.concat(written);
    this.#tellHook?.(written);
  }

  #follow(tell: TellHook): void {
    this.#tellHook = tell;
    if (this.#dbChanges.length > 0) tell(this.#dbChanges);
  }

  /** The requests of a hook: their answers wait for the runs that they have caused, so that the hook can read what these wrote. */
  #afterRuns(fetch: CallHost["fetch"]): CallHost["fetch"] {
    return async (...given) => {
      try {
        return await fetch(...given);
      } finally {
        await Promise.all(this.#awaited);
      }
    };
  }

  add(settled: Pick<Settled, "changes" | "events" | "next"> & { readonly execution: Pick<Execution, "logs"> }): void {
    // Not spread: a hook may make more changes than a call has arguments.
    for (const change of settled.changes) this.changes.push(change);
    for (const event of settled.events) this.events.push(event);
    this.logs.push(...settled.execution.logs);
    Object.assign(this.cached, settled.next);
  }

  /** Gives the source its db and what its dedupe remembers. */
  restore({ changes, db, dedupe }: RestoredSource): void {
    for (const change of changes) this.changes.push(change);
    Object.assign(this.cached, { db, dedupe });
  }

  /** Adds a log record. */
  note(msg: string): void {
    this.add(noteLogs(this.cached, [{ msg, data: [], context: "start" }], this.#parts.settleRules()));
  }

  /** Logs the warnings of the component, or only those of a schedule that was configured anew; and `more`. */
  warn(about: "component" | "schedule", more: readonly ComponentWarning[] = []): void {
    const { source, component } = this.cached;
    const ofSchedule = scheduleWarnings(component.shape.props, source.configuredProps, this.#parts.clock.now());
    const ofComponent = about === "component" ? (component.shape.warnings ?? []) : [];
    const warnings = [...ofComponent, ...ofSchedule, ...more];
    if (warnings.length > 0) this.add(noteWarnings(this.cached, warnings, this.#parts.settleRules()));
  }

  commit(more: readonly Change[]): Promise<void> {
    const { cached, changes, events } = this;
    const next = { dedupe: cached.dedupe, heads: cached.heads, db: cached.db, untrimmed: cached.untrimmed };
    return commitSettled(cached, { changes, events, next }, more, this.#parts);
  }
}
