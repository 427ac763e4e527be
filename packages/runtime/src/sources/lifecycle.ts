import { XError } from "../errors.ts";
import { HookRuns, type HookRunsParts } from "./hook-runs.ts";
import type { Component, HookName, LogRecord, Source, TimerValue, TriggerHead } from "../model.ts";
import type { Logger } from "../options.ts";
import type { Resident } from "../lane/residents.ts";
import type { Settled } from "../execution/settle.ts";
import type { Change } from "../store/contract.ts";

/** Hook order of every transition of an existing source (contract 3.3, "hook matrix"; R077-R079). */
export function updateHooks(wasActive: boolean, willBeActive: boolean): readonly HookName[] {
  if (wasActive && willBeActive) return ["deactivate", "activate"];
  if (wasActive) return ["deactivate"];
  return willBeActive ? ["activate"] : [];
}

/** Hook order of a deploy (R076). */
const deployHooks: readonly HookName[] = ["deploy", "activate"];

export interface LifecycleParts extends HookRunsParts {
  readonly logger: Logger;
  /** What the auto-subscriptions give to a new source (R102). */
  subscriptionsFor(source: Source): Change[];
  /** Gives triggers back to the source's lane. */
  resume(triggers: readonly TriggerHead[]): void;
  /** The change that sets the source's timer, given its state before; and its effect after the commit. */
  timerChange(source: Source, component: Component, previous: { timer: TimerValue } | undefined): Promise<Change>;
  timerCommitted(change: Change): void;
}

function hookFailed(
  hook: HookName,
  error: NonNullable<Settled["execution"]["error"]>,
  logs: readonly LogRecord[],
): XError {
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

/** A change works on a copy: when it fails, nothing has happened. */
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
  /** The same, found out right before the commit. */
  readonly lastly?: () => readonly Change[];
}

/** Makes a source: deploy hook, activate hook, one commit (R076). On failure nothing is left (contract 3.3). */
export async function deploySource(
  { source, component, also, lastly }: SourceDeploy,
  parts: LifecycleParts,
): Promise<void> {
  const resident: Resident = {
    source,
    component,
    dedupe: {},
    heads: {},
    db: new Map(),
    untrimmed: new Map(),
  };
  const runs = new HookRuns(resident, parts);
  runs.warn(component.shape.warnings);
  for (const hook of deployHooks) {
    const error = await runs.runOpen(hook);
    if (!error) continue;
    const cleanUp = await runs.run("deactivate");
    if (cleanUp)
      parts.logger.warn("deactivate failed after a failed deploy", { source: source.id, error: cleanUp.message });
    await parts.externalDb?.delete(source.id);
    // Requests that came during the hooks left rows in the inbox.
    if (runs.handled.length > 0) await parts.store.commit([{ op: "source.delete", id: source.id }]);
    throw hookFailed(hook, error, runs.logs);
  }
  const timer = await parts.timerChange(source, component, undefined);
  await runs
    .commit([...also, { op: "source.put", source }, timer, ...parts.subscriptionsFor(source), ...(lastly?.() ?? [])])
    .catch(async (error: unknown) => {
      // The runs of requests that came during the hooks find no source, and take their rows out of the inbox.
      parts.resume(runs.handled);
      await parts.externalDb?.delete(source.id);
      throw error;
    });
  parts.timerCommitted(timer);
  parts.resume(runs.broken);
}

export interface SourceUpdate extends SourceDeploy {
  readonly ignoreHookErrors: boolean;
  /** The schedule before, so that an unchanged one keeps its countdown (G39). */
  readonly previousTimer: { readonly timer: TimerValue } | undefined;
}

/** Replaces code, props or state of a source: deactivate, replace, activate (R077, S8). Called in its lane. */
export async function updateSource(update: SourceUpdate, parts: LifecycleParts): Promise<void> {
  const current = await parts.residents.get(update.source.id);
  const runs = new HookRuns(copyOf(current), parts);
  const hooks = updateHooks(current.source.active, update.source.active);
  if (hooks.includes("deactivate")) {
    const error = await runs.run("deactivate");
    if (error && !update.ignoreHookErrors) throw hookFailed("deactivate", error, runs.logs);
  }
  const strategyChanged = current.component.shape.dedupe !== update.component.shape.dedupe;
  Object.assign(
    runs.resident,
    { source: update.source, component: update.component },
    strategyChanged ? { dedupe: {} } : {},
  );
  if (current.component.id !== update.component.id) runs.warn(update.component.shape.warnings);
  if (strategyChanged) runs.changes.push({ op: "dedupe.reset", sourceId: update.source.id });
  try {
    if (hooks.includes("activate")) {
      const error = await runs.runOpen("activate");
      if (error && !update.ignoreHookErrors) {
        await restore(current, parts);
        throw hookFailed("activate", error, runs.logs);
      }
    }
    const timer = await parts.timerChange(update.source, update.component, update.previousTimer);
    await runs.commit([...update.also, { op: "source.put", source: update.source }, timer]);
    parts.timerCommitted(timer);
  } catch (error) {
    parts.resume(runs.handled);
    throw error;
  }
  parts.resume(runs.broken);
}

/** The new activate threw: the old one runs again on the old state; if that throws too, the source is left inactive (S8). */
async function restore(current: Resident, parts: LifecycleParts): Promise<void> {
  if (!current.source.active) return;
  const runs = new HookRuns(copyOf(current), parts);
  try {
    const error = await runs.runOpen("activate");
    if (!error) await runs.commit([]);
    else {
      const source = { ...current.source, active: false, updatedAt: parts.clock.now() };
      runs.resident.source = source;
      const timer = await parts.timerChange(source, current.component, undefined);
      await runs.commit([{ op: "source.put", source }, timer]);
      parts.timerCommitted(timer);
    }
  } catch (error) {
    parts.resume(runs.handled);
    throw error;
  }
  parts.resume(runs.broken);
}

/** Deactivate, then the source is gone with everything it had (R078, G06). Called in its lane. */
export async function deleteSource(id: string, ignoreHookErrors: boolean, parts: LifecycleParts): Promise<void> {
  const current = await parts.residents.get(id);
  const runs = new HookRuns(copyOf(current), parts);
  if (current.source.active) {
    const error = await runs.run("deactivate");
    if (error && !ignoreHookErrors) throw hookFailed("deactivate", error, runs.logs);
    if (error)
      parts.logger.warn("deactivate failed; the source is deleted all the same", { source: id, error: error.message });
  }
  await parts.store.commit([{ op: "source.delete", id }]);
  parts.residents.forget(id);
  await parts.externalDb?.delete(id);
  parts.timerCommitted({ op: "timer.set", sourceId: id, next: undefined });
}
