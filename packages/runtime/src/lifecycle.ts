import { commitSettled, type InvokeParts, triggerCall } from "./invoke.ts";
import { execute } from "./execute.ts";
import { XError } from "./errors.ts";
import { newSortableId, sha256Hex } from "./ids.ts";
import type { Clock } from "./clock.ts";
import type { Component, Execution, HookName, LogRecord, Source, StoredEvent, TimerValue, Trigger } from "./model.ts";
import type { Logger } from "./options.ts";
import type { Resident } from "./residents.ts";
import type { GuestResponse } from "./sandbox/contract.ts";
import type { Settled } from "./settle.ts";
import type { Transitions } from "./transitions.ts";
import type { Change } from "./store/contract.ts";

/** Hook order of every transition of an existing source (contract 3.3, "hook matrix"; R077-R079). */
export function updateHooks(wasActive: boolean, willBeActive: boolean): readonly HookName[] {
  if (wasActive && willBeActive) return ["deactivate", "activate"];
  if (wasActive) return ["deactivate"];
  return willBeActive ? ["activate"] : [];
}

/** Hook order of a deploy (R076). */
const deployHooks: readonly HookName[] = ["deploy", "activate"];

export interface LifecycleParts extends InvokeParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly transitions: Transitions;
  /** What the auto-subscriptions give to a new source (R102). */
  subscriptionsFor(source: Source): Change[];
  /** Gives triggers back to the source's lane. */
  resume(triggers: readonly Trigger[]): void;
  /** The change that sets the source's timer, given its state before; and its effect after the commit. */
  timerChange(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  timerCommitted(change: Change): void;
}

/** Several entries run one after another on one resident, committed together. */
class Steps {
  readonly changes: Change[] = [];
  readonly events: StoredEvent[] = [];
  readonly logs: LogRecord[] = [];
  readonly resident: Resident;
  /** Triggers that ran beside a hook; they leave the inbox with the commit. */
  readonly handled: Trigger[] = [];
  /** Those of them whose run broke off. */
  readonly broken: Trigger[] = [];
  readonly #parts: LifecycleParts;
  readonly #beside = new Set<Promise<unknown>>();

  constructor(resident: Resident, parts: LifecycleParts) {
    this.resident = resident;
    this.#parts = parts;
  }

  /** Runs a hook if the component has it; what it did is added, also when it failed. */
  async run(hook: HookName): Promise<Settled["execution"]["error"]> {
    if (!this.resident.component.shape.hooks.includes(hook)) return null;
    const at = this.#parts.clock.now();
    const settled = await execute(
      this.resident,
      { entry: hook, event: "", executionId: newSortableId(at), type: "HOOK", at },
      this.#parts,
    );
    this.add(settled);
    return settled.execution.error;
  }

  /** Runs a hook that a remote service may answer by calling the source's endpoint. */
  async runOpen(hook: HookName): Promise<Settled["execution"]["error"]> {
    const { source, component } = this.resident;
    const { transitions } = this.#parts;
    transitions.begin({ source, component, run: (trigger, respond) => this.#runBeside(trigger, respond) });
    try {
      return await this.run(hook);
    } finally {
      transitions.end(source.id);
      await Promise.allSettled(this.#beside);
    }
  }

  #runBeside(trigger: Trigger, respond?: (response: GuestResponse) => void): Promise<Execution> {
    this.handled.push(trigger);
    const run = execute(this.resident, triggerCall(trigger, respond), this.#parts).then(
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

  add(settled: Settled): void {
    this.changes.push(...settled.changes);
    this.events.push(...settled.events);
    this.logs.push(...settled.execution.logs);
    Object.assign(this.resident, settled.next);
  }

  commit(more: readonly Change[]): Promise<void> {
    const { resident, changes, events } = this;
    const next = { dedupe: resident.dedupe, heads: resident.heads, db: resident.db, untrimmed: resident.untrimmed };
    return commitSettled(resident, { changes, events, next }, more, this.#parts);
  }
}

function hookFailed(
  hook: HookName,
  error: NonNullable<Settled["execution"]["error"]>,
  logs: readonly LogRecord[],
): XError {
  return new XError("hook_failed", [hook, error.message], {
    details: { hook, error_code: error.code, name: error.name, stack: error.stack, observations: logs },
  });
}

const copyOf = (resident: Resident): Resident => ({
  ...resident,
  db: new Map(resident.db),
  untrimmed: new Map(resident.untrimmed),
});

export interface SourceDeploy {
  readonly source: Source;
  readonly component: Component;
  /** What is committed with the source. */
  readonly also: readonly Change[];
}

/** Makes a source: deploy hook, activate hook, one commit (R076). On failure nothing is left (contract 3.3). */
export async function deploySource({ source, component, also }: SourceDeploy, parts: LifecycleParts): Promise<void> {
  const resident: Resident = {
    source,
    component,
    bundleHash: sha256Hex(component.bundle),
    dedupe: {},
    heads: {},
    db: new Map(),
    untrimmed: new Map(),
  };
  const steps = new Steps(resident, parts);
  for (const hook of deployHooks) {
    const error = await steps.runOpen(hook);
    if (!error) continue;
    const cleanUp = await steps.run("deactivate");
    if (cleanUp)
      parts.logger.warn("deactivate failed after a failed deploy", { source: source.id, error: cleanUp.message });
    await parts.externalDb?.delete(source.id);
    // Requests that came during the hooks left rows in the inbox.
    if (steps.handled.length > 0) await parts.store.commit([{ op: "source.delete", id: source.id }]);
    throw hookFailed(hook, error, steps.logs);
  }
  const timer = await parts.timerChange(source, component, undefined);
  await steps
    .commit([...also, { op: "source.put", source }, timer, ...parts.subscriptionsFor(source)])
    .catch(async (error: unknown) => {
      // The runs of requests that came during the hooks find no source, and take their rows out of the inbox.
      parts.resume(steps.handled);
      await parts.externalDb?.delete(source.id);
      throw error;
    });
  parts.timerCommitted(timer);
  parts.resume(steps.broken);
}

export interface SourceUpdate extends SourceDeploy {
  readonly ignoreHookErrors: boolean;
  /** The schedule before, so that an unchanged one keeps its countdown (G39). */
  readonly previousTimer: { readonly timer: TimerValue } | undefined;
}

/** Replaces code, props or state of a source: deactivate, replace, activate (R077, S8). Called in its lane. */
export async function updateSource(update: SourceUpdate, parts: LifecycleParts): Promise<void> {
  const current = await parts.residents.get(update.source.id);
  const steps = new Steps(copyOf(current), parts);
  const hooks = updateHooks(current.source.active, update.source.active);
  if (hooks.includes("deactivate")) {
    const error = await steps.run("deactivate");
    if (error && !update.ignoreHookErrors) throw hookFailed("deactivate", error, steps.logs);
  }
  const strategyChanged = current.component.shape.dedupe !== update.component.shape.dedupe;
  Object.assign(
    steps.resident,
    { source: update.source, component: update.component, bundleHash: sha256Hex(update.component.bundle) },
    strategyChanged ? { dedupe: {} } : {},
  );
  if (strategyChanged) steps.changes.push({ op: "dedupe.reset", sourceId: update.source.id });
  try {
    if (hooks.includes("activate")) {
      const error = await steps.runOpen("activate");
      if (error && !update.ignoreHookErrors) {
        await restore(current, parts);
        throw hookFailed("activate", error, steps.logs);
      }
    }
    const timer = await parts.timerChange(update.source, update.component, update.previousTimer);
    await steps.commit([...update.also, { op: "source.put", source: update.source }, timer]);
    parts.timerCommitted(timer);
  } catch (error) {
    parts.resume(steps.handled);
    throw error;
  }
  parts.resume(steps.broken);
}

/** The new activate threw: the old one runs again on the old state; if that throws too, the source is left inactive (S8). */
async function restore(current: Resident, parts: LifecycleParts): Promise<void> {
  if (!current.source.active) return;
  const steps = new Steps(copyOf(current), parts);
  try {
    const error = await steps.runOpen("activate");
    if (!error) await steps.commit([]);
    else {
      const source = { ...current.source, active: false, updatedAt: parts.clock.now() };
      steps.resident.source = source;
      const timer = await parts.timerChange(source, current.component, undefined);
      await steps.commit([{ op: "source.put", source }, timer]);
      parts.timerCommitted(timer);
    }
  } catch (error) {
    parts.resume(steps.handled);
    throw error;
  }
  parts.resume(steps.broken);
}

/** Deactivate, then the source is gone with everything it had (R078, G06). Called in its lane. */
export async function deleteSource(id: string, ignoreHookErrors: boolean, parts: LifecycleParts): Promise<void> {
  const current = await parts.residents.get(id);
  const steps = new Steps(copyOf(current), parts);
  if (current.source.active) {
    const error = await steps.run("deactivate");
    if (error && !ignoreHookErrors) throw hookFailed("deactivate", error, steps.logs);
    if (error)
      parts.logger.warn("deactivate failed; the source is deleted all the same", { source: id, error: error.message });
  }
  await parts.store.commit([{ op: "source.delete", id }]);
  parts.residents.forget(id);
  await parts.externalDb?.delete(id);
  parts.timerCommitted({ op: "timer.set", sourceId: id, next: undefined });
}
