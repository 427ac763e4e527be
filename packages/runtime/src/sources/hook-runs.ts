import {
  newSortableId,
  scheduleWarnings,
  type Clock,
  type ComponentWarning,
  type Execution,
  type HookName,
  type LoadedTrigger,
  type LogRecord,
  type StoredEvent,
} from "@x/model";
import { executeTraced } from "../invocation/traced-execute.ts";
import { commitSettled, type InvokeParts, triggerCall } from "../invocation/invoke.ts";
import { noteLogs, noteWarnings } from "../invocation/records/notes.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { GuestResponse } from "@x/sandbox";
import type { Settled } from "../invocation/settle.ts";
import type { Change } from "@x/store";
import type { RestoredSource } from "./restored-source.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface HookRunsParts extends InvokeParts {
  readonly clock: Clock;
  readonly transitions: Transitions;
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

  constructor(cached: CachedSource, parts: HookRunsParts) {
    this.cached = cached;
    this.#parts = parts;
  }

  /** Runs a hook if the component has it, and collects its results, also when it fails. */
  async run(hook: HookName): Promise<Settled["execution"]["error"]> {
    if (!this.cached.component.shape.hooks.includes(hook)) return null;
    const at = this.#parts.clock.now();
    const settled = await executeTraced(
      this.cached,
      { entry: hook, event: "", executionId: newSortableId(at), type: "HOOK", at },
      this.#parts,
    );
    this.add(settled);
    return settled.execution.error;
  }

  /** Runs a hook during which the endpoint of the source answers requests. */
  async runOpen(hook: HookName): Promise<Settled["execution"]["error"]> {
    const { source, component } = this.cached;
    const { transitions } = this.#parts;
    transitions.begin({ source, component, run: (trigger, respond) => this.#runBeside(trigger, respond) });
    try {
      return await this.run(hook);
    } finally {
      transitions.end(source.id);
      await Promise.allSettled(this.#beside);
    }
  }

  #runBeside(trigger: LoadedTrigger, respond?: (response: GuestResponse) => void): Promise<Execution> {
    this.handled.push(trigger);
    const run = executeTraced(this.cached, triggerCall(trigger, respond), this.#parts).then(
      (settled) => {
        this.add(settled);
        this.changes.push({ op: "trigger.remove", id: trigger.id });
        return settled.execution;
      },
      (error: unknown) => {
        this.broken.push(trigger);
        throw error;
      },
    );
    this.#beside.add(run);
    return run;
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
