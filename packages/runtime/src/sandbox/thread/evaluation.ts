import { newSeed } from "../../process/ids.ts";
import type { GuestError } from "../../model/model.ts";
import { bundleText, createBundleStack } from "./bundle-text.ts";
import { MachineFailure } from "../machine/quickjs-machine.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { type Heartbeat, sharedNow } from "./heartbeat.ts";
import { answerPure } from "./host-ops.ts";
import { guestOp, hostOp } from "../ops.ts";
import { partsFor } from "./preload.ts";
import { readSaidOfModule, type SaidOfModule } from "./said.ts";

export interface EvaluationRequest {
  readonly callId: number;
  readonly code: string;
  readonly timeoutMs: number;
  /** Asks for the module's description too. */
  readonly describe: boolean;
}

export interface Evaluated {
  /** `component_threw`, `module_pending` (it waits for what never comes), or `sandbox_timeout`. */
  readonly error: GuestError | undefined;
  readonly json: string | undefined;
  /** Evaluating it again gives the same, so that its memory can be kept as an image. */
  readonly repeatable: boolean;
}

const mostTimers = 1_000;

/** Evaluates a module in a machine that has the base realm, without any capability. */
export function evaluate(machine: GuestMachine, beat: Heartbeat, request: EvaluationRequest): Evaluated {
  const { timeoutMs } = request;
  const deadline = sharedNow() + timeoutMs;
  let answer: SaidOfModule | undefined;
  let repeatable = true;
  /** Delays of the timers that a module waits for, by number. */
  const timers = new Map<number, number>();
  // Later than at first where the module had to wait for its turn.
  const remainingMs = (): number => Math.max(deadline, beat.read().deadline) - sharedNow();
  const isOver = (): boolean => !beat.mayGoOn() || remainingMs() <= 0;
  machine.attach({
    shouldInterrupt: isOver,
    remainingMs,
    dispatch(op, text, bytes) {
      if (op === hostOp.described) answer = readSaidOfModule(text);
      // Random bytes frozen into an image would be alike in every clone.
      if (op === hostOp.random || op === hostOp.generate) repeatable = false;
      if (op === hostOp.timerStart || op === hostOp.fetch) repeatable = false;
      if (op === hostOp.timerStart) startTimer(timers, text);
      if (op === hostOp.timerClear) timers.delete(Number(text));
      if (op === hostOp.emit || op === hostOp.dbSet || op === hostOp.respond)
        return "Error\nNot available while the module is evaluated";
      return answerPure(op, text, bytes);
    },
  });
  beat.enter(request.callId, deadline);
  let alive = false;
  let failure = "The module did not finish";
  try {
    const parts = partsFor(request.code);
    if (parts.length > 0) machine.enter(guestOp.preload, JSON.stringify(parts));
    alive = machine.enter(guestOp.evaluate, JSON.stringify(newSeed()), { code: bundleText(request.code) });
    for (;;) {
      while (alive && machine.hasJobs() && !isOver()) alive = machine.runJobs(64);
      const next = alive && !answer && !isOver() ? soonest(timers) : undefined;
      if (next === undefined) break;
      timers.delete(next);
      alive = machine.enter(guestOp.timers, `[${next}]`);
    }
    if (alive && request.describe && answer && !answer.error) alive = machine.enter(guestOp.describe, "");
  } catch (error) {
    if (!(error instanceof MachineFailure)) throw error;
    failure = error.message;
    alive = false;
  }
  const isLate = isOver();
  beat.leave();
  if (isLate) failure = `Evaluating the module took longer than ${timeoutMs} ms`;
  else if (alive && answer) {
    const { error, json } = answer;
    const stackOf = createBundleStack(request.code, machine.columns);
    return { error: error && { code: "component_threw", ...error, stack: stackOf(error.stack) }, json, repeatable };
  } else if (alive) {
    return {
      error: { code: "module_pending", name: "Error", message: neverEnds, stack: "" },
      json: undefined,
      repeatable: false,
    };
  } else failure = `${failure}: syntax the sandbox does not know, or no memory left`;
  const code = isLate ? "sandbox_timeout" : "component_threw";
  return { error: { code, name: "Error", message: failure, stack: "" }, json: undefined, repeatable: false };
}

const neverEnds =
  "this top-level await never ends: while a module is loaded there is no network, and nothing else will settle the promise. Await it in run or in a hook.";

/** Forged texts start none. */
function startTimer(timers: Map<number, number>, text: string): void {
  const [id, delayMs] = /^\[(\d+),(\d+(?:\.\d+)?)\]$/.exec(text)?.slice(1).map(Number) ?? [];
  if (id !== undefined && delayMs !== undefined && timers.size < mostTimers) timers.set(id, delayMs);
}

/** The one that is due first; time does not pass while a module is evaluated. */
function soonest(timers: ReadonlyMap<number, number>): number | undefined {
  const [first, ...others] = timers;
  if (!first) return undefined;
  return others.reduce((best, each) => (each[1] < best[1] ? each : best), first)[0];
}
