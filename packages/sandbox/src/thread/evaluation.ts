import { newSeed, type GuestError } from "@x/model";
import { bundleText, createBundleStack } from "./bundle-text.ts";
import { MachineFailure } from "../machine/quickjs-machine.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { type ModuleResult, readModuleResult } from "./guest-results.ts";
import { type Heartbeat } from "./heartbeat.ts";
import { sharedNow } from "./shared-clock.ts";
import { answerPure } from "./host-ops.ts";
import { guestOp, hostOp } from "../ops.ts";
import { partsFor } from "./preload.ts";
import { moduleTimedOut } from "../timeouts.ts";

export interface EvaluationRequest {
  readonly callId: number;
  readonly code: string;
  readonly timeoutMs: number;
  /** Whether to describe the module as well. */
  readonly describe: boolean;
}

export interface Evaluated {
  /** `component_threw`, `module_pending` (the module awaits a promise that never settles), or `sandbox_timeout`. */
  readonly error: GuestError | undefined;
  readonly json: string | undefined;
  /** The module used no secure randomness, key generation, timers or fetch, so its memory can be kept as an image. */
  readonly repeatable: boolean;
}

const maxTimers = 1_000;

/** State of one evaluation. */
interface Evaluation {
  result: ModuleResult | undefined;
  repeatable: boolean;
  /** Delays in ms of the pending timers, by id. */
  readonly timers: Map<number, number>;
  readonly isOver: () => boolean;
}

/** Evaluates a module in a machine that has the base realm, without network, events or db. */
export function evaluate(machine: GuestMachine, beat: Heartbeat, request: EvaluationRequest): Evaluated {
  const { callId, code, timeoutMs } = request;
  const deadline = sharedNow() + timeoutMs;
  // The scheduler extends the beat's deadline when the module had to wait for CPU.
  const remainingMs = (): number => Math.max(deadline, beat.read().deadline) - sharedNow();
  const isOver = (): boolean => !beat.mayGoOn() || remainingMs() <= 0;
  const evaluation: Evaluation = { result: undefined, repeatable: true, timers: new Map(), isOver };
  machine.attach({
    shouldInterrupt: isOver,
    remainingMs,
    dispatch: (op, text, bytes) => answer(evaluation, op, text, bytes),
  });
  beat.enter(callId, deadline);
  let isAlive = false;
  let failure = "The module did not finish";
  try {
    isAlive = runModule(machine, evaluation, request);
  } catch (error) {
    if (!(error instanceof MachineFailure)) throw error;
    failure = error.message;
  }
  const isLate = isOver();
  beat.leave();
  const { result, repeatable } = evaluation;
  if (isLate) return notEvaluated(moduleTimedOut(timeoutMs));
  if (!isAlive) return failed("component_threw", `${failure}: syntax the sandbox does not know, or no memory left`);
  if (!result) return failed("module_pending", neverEnds);
  const { error, json } = result;
  const stackOf = createBundleStack(code, machine.columns);
  return { error: error && { code: "component_threw", ...error, stack: stackOf(error.stack) }, json, repeatable };
}

const neverEnds =
  "this top-level await never ends: while a module is loaded there is no network, and nothing else will settle the promise. Await it in run or in a hook.";

const notEvaluated = (error: GuestError): Evaluated => ({ error, json: undefined, repeatable: false });

const failed = (code: string, message: string): Evaluated => notEvaluated({ code, name: "Error", message, stack: "" });

/** After any of these calls the memory is not kept as an image: random bytes in it would be the same in every clone. */
const unrepeatable: ReadonlySet<number> = new Set([hostOp.random, hostOp.generate, hostOp.timerStart, hostOp.fetch]);
const effects: ReadonlySet<number> = new Set([hostOp.emit, hostOp.dbSet, hostOp.respond]);

function answer(
  evaluation: Evaluation,
  op: number,
  text: string,
  bytes: Uint8Array | undefined,
): string | Uint8Array | undefined {
  if (op === hostOp.described) evaluation.result = readModuleResult(text);
  if (unrepeatable.has(op)) evaluation.repeatable = false;
  if (op === hostOp.timerStart) startTimer(evaluation.timers, text);
  if (op === hostOp.timerClear) evaluation.timers.delete(Number(text));
  return effects.has(op) ? "Error\nNot available while the module is evaluated" : answerPure(op, text, bytes);
}

/** Runs the module, its jobs and its timers until it has a result, nothing is pending, or time is up. False: the guest cannot continue. */
function runModule(machine: GuestMachine, evaluation: Evaluation, { code, describe }: EvaluationRequest): boolean {
  const { timers, isOver } = evaluation;
  const parts = partsFor(code);
  if (parts.length > 0) machine.enter(guestOp.preload, JSON.stringify(parts));
  let isAlive = machine.enter(guestOp.evaluate, JSON.stringify(newSeed()), { code: bundleText(code) });
  for (;;) {
    while (isAlive && machine.hasJobs() && !isOver()) isAlive = machine.runJobs(64);
    const next = isAlive && !evaluation.result && !isOver() ? soonest(timers) : undefined;
    if (next === undefined) break;
    timers.delete(next);
    isAlive = machine.enter(guestOp.timers, `[${next}]`);
  }
  const { result } = evaluation;
  return isAlive && describe && result && !result.error ? machine.enter(guestOp.describe, "") : isAlive;
}

/** Ignores malformed texts, and timers beyond the limit. */
function startTimer(timers: Map<number, number>, text: string): void {
  const [id, delayMs] = /^\[(\d+),(\d+(?:\.\d+)?)\]$/.exec(text)?.slice(1).map(Number) ?? [];
  if (id !== undefined && delayMs !== undefined && timers.size < maxTimers) timers.set(id, delayMs);
}

/** The id of the pending timer with the shortest delay. Timers fire without waiting while a module is evaluated. */
function soonest(timers: ReadonlyMap<number, number>): number | undefined {
  const [first, ...others] = timers;
  if (!first) return undefined;
  return others.reduce((best, each) => (each[1] < best[1] ? each : best), first)[0];
}
