import { performance } from "node:perf_hooks";

import { guestError } from "@x/model";
import type { DbChange } from "../contract.ts";
import { entryTimedOut } from "../timeouts.ts";
import type { CallText, GuestMachine } from "../machine/guest-machine.ts";
import { MachineFailure } from "../machine/quickjs-machine.ts";
import { guestOp } from "../ops.ts";
import { type BundleStack, createBundleStack } from "./bundle-text.ts";
import { CallEffects } from "./call-effects.ts";
import { CallFetches } from "./call-fetches.ts";
import { CallDeadline, type CallTimers, createCallTimers } from "./call-timers.ts";
import type { EffectRules } from "./effects.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { CallEnd, FromWorker, SandboxCallMessage, UnnumberedEffect } from "./messages.ts";
import { largeReply } from "./messages.ts";
import { Rejections } from "./rejections.ts";

const jobsPerSlice = 64;
/** A sandbox that fails without an error while it uses this share of its memory cap has run out of memory. */
const fullMemoryShare = 0.75;

export interface CallPort {
  effect(effect: UnnumberedEffect): void;
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  flush(): void;
  /** The guest will not be entered for this call again. */
  left(machine: GuestMachine): void;
  /** `clean`: the machine can be used again. */
  ended(end: CallEnd, clean: boolean): void;
  /** The call kept the thread busy for `ms`. */
  busy?(call: GuestCall, ms: number): void;
  /** How long the thread has been busy in all: what others add to it does not count against the call. */
  busyMs?(): number;
}

/** One call in one machine: enters the guest, runs its jobs, passes on replies and timers, and decides how the call ended. */
export class GuestCall {
  readonly message: SandboxCallMessage;
  readonly fetches: CallFetches;
  readonly #machine: GuestMachine;
  readonly #beat: Heartbeat;
  readonly #port: CallPort;
  readonly #stackOf: BundleStack;
  readonly #timers: CallTimers;
  readonly #rejections: Rejections;
  readonly #effects: CallEffects;
  readonly #startedAt = performance.now();
  readonly #deadline: CallDeadline;
  /** The limit that the error of a timeout names. */
  #timeoutMs: number;
  #computeMs = 0;
  #isTimedOut = false;
  /** The scheduler moved the call to another thread. */
  #isSentAway = false;
  #isOver = false;
  readonly #isStopped = (): boolean => this.#isSentAway || this.#effects.isStopped;

  /** `code` is the module's text; evaluating it took `spentMs` of the call's time. */
  constructor(
    message: SandboxCallMessage,
    machine: GuestMachine,
    beat: Heartbeat,
    port: CallPort,
    rules: EffectRules,
    { code, spentMs = 0 }: { readonly code: string; readonly spentMs?: number },
  ) {
    this.message = message;
    this.#machine = machine;
    this.#beat = beat;
    this.#port = port;
    this.#stackOf = createBundleStack(code, machine.columns);
    this.#rejections = new Rejections(rules, this.#stackOf);
    this.fetches = new CallFetches(message, {
      post: (posted) => port.post(posted),
      refuse: (fetchId, failure) => setImmediate(() => this.settle(fetchId, undefined, undefined, failure)),
    });
    this.#timers = createCallTimers(message.maxSkippedMs, (timerId) => {
      if (!this.#isOver) this.#run(guestOp.timers, `[${timerId}]`);
    });
    this.#effects = new CallEffects({
      message,
      rules,
      stackOf: this.#stackOf,
      fetches: this.fetches,
      timers: this.#timers,
      rejections: this.#rejections,
      effect: port.effect,
      post: port.post,
    });
    this.#timeoutMs = message.limits.timeoutMs;
    const passed = (): void => {
      if (!this.#isOver) this.#end("timeout", false);
    };
    this.#deadline = new CallDeadline(message.limits.timeoutMs - spentMs, passed, port.busyMs);
    machine.attach({
      dispatch: (op, text, bytes) => (this.#isOver ? undefined : this.#effects.answer(op, text, bytes)),
      shouldInterrupt: () => this.#shouldInterrupt(),
      remainingMs: () => this.#deadline.remainingMs,
    });
  }

  start(): void {
    this.#deadline.arm();
    this.#run(guestOp.call, this.message);
  }

  /** Another call kept this thread busy for `ms`, which does not count against this call. */
  extend(ms: number): void {
    if (!this.#isOver) this.#deadline.extend(ms);
  }

  /** Ends the call without reporting an end: it continues elsewhere, or nothing waits for it. */
  drop(): void {
    this.#isOver = true;
    this.#deadline.close();
    this.fetches.close();
    this.#timers.close();
  }

  /** Passes the reply to a request, or its error, to the guest. Ignores requests that were cancelled. */
  settle(fetchId: number, reply: object | undefined, body: Uint8Array | undefined, error: object | undefined): void {
    if (this.#isOver || !this.fetches.forget(fetchId)) return;
    if (body && body.byteLength >= largeReply) this.#port.post({ k: "taken", id: this.message.id, fetchId });
    this.#run(guestOp.fetched, JSON.stringify({ ...reply, id: fetchId, error }), body);
  }

  /** Gives the guest what other calls have written to the db. */
  changeDb(changes: readonly DbChange[]): void {
    if (!this.#isOver) this.#run(guestOp.dbChanged, JSON.stringify(changes));
  }

  #shouldInterrupt(): boolean {
    if (!this.#beat.mayGoOn()) this.#isSentAway = true;
    return this.#isStopped() || (this.#isTimedOut ||= this.#deadline.hasPassed);
  }

  #run(op: number, text: string | CallText, bytes?: Uint8Array): void {
    const isAlive = this.#inGuest(() => this.#enter(op, text, bytes));
    if (isAlive === undefined) return this.#endCrashed();
    if (this.#isStopped()) return this.#end("error", false);
    if (this.#isTimedOut) return this.#end("timeout", false);
    if (!isAlive) return this.#endCrashed();
    if (this.#effects.result) return this.#finish();
    if (this.#timers.size === 0 && this.fetches.size === 0) return this.#endStuck();
    if (this.fetches.size === 0 && !this.#timers.skip()) {
      this.#timeoutMs = this.message.maxSkippedMs;
      return this.#end("timeout", false);
    }
    this.#port.flush();
  }

  /** Runs the guest and its jobs until it waits for the host. False: it cannot continue. Undefined: the engine failed. */
  #enter(op: number, text: string | CallText, bytes?: Uint8Array): boolean | undefined {
    try {
      let isAlive = this.#machine.enter(op, text, bytes);
      while (isAlive && !this.#isTimedOut && !this.#isStopped() && this.#rejections.hasNext(this.#machine)) {
        isAlive = this.#rejections.next(this.#machine, jobsPerSlice);
        this.#isTimedOut ||= this.#deadline.hasPassed;
      }
      return isAlive;
    } catch (error) {
      if (!(error instanceof MachineFailure)) throw error;
      this.#effects.result = { error: { name: "Error", message: error.message, stack: "" } };
      return undefined;
    }
  }

  /** Keeps the beat when `work` throws: then the thread ends, and the scheduler sees which call it was in. */
  #inGuest<Result>(work: () => Result): Result {
    const enteredAt = performance.now();
    this.#deadline.endWait();
    this.#beat.enter(this.message.id, this.#deadline.at);
    const result = work();
    this.#beat.leave();
    const busyMs = performance.now() - enteredAt;
    this.#computeMs += busyMs;
    this.#deadline.beginWait();
    this.#port.busy?.(this, busyMs);
    return result;
  }

  #finish(): void {
    const error = this.#effects.result?.error;
    if (!error) {
      return this.#end("ok", this.#findLeftWork());
    }
    const { name, message } = error;
    const isMemory =
      message === "out of memory" || (this.#isFull() && (message === "null" || name === "InternalError"));
    this.#end(isMemory ? "out_of_memory" : "error", !isMemory);
  }

  /** Asks the guest for work that the entry did not await. False: its machine cannot be used again. */
  #findLeftWork(): boolean {
    const timers = this.#timers.ids;
    const requests = this.fetches.ids;
    const { hasExited, hasLateEffect } = this.#effects;
    if (hasExited || (!hasLateEffect && timers.length === 0 && requests.length === 0)) return true;
    return this.#inGuest(() => {
      try {
        return this.#machine.enter(guestOp.left, JSON.stringify({ timers, requests }));
      } catch {
        // The entry succeeded; a failure of this report must not fail it.
        return false;
      }
    });
  }

  #endCrashed(): void {
    this.#end(this.#isFull() ? "out_of_memory" : "error", false, "sandbox_crashed");
  }

  #endStuck(): void {
    // A job without memory ends silently, and the promise that it would have settled stays pending.
    if (this.#isFull()) return this.#end("out_of_memory", false);
    if (this.#effects.hasExited) return this.#end("ok", false);
    const message = `${this.message.entry} awaits a promise that nothing can settle`;
    this.#effects.result = { error: { name: "Error", message, stack: `Error: ${message}` } };
    this.#end("error", false);
  }

  #isFull(): boolean {
    return this.#machine.memory.buffer.byteLength >= this.message.limits.memoryBytes * fullMemoryShare;
  }

  #error(status: CallEnd["status"], code: string): CallEnd["error"] {
    const { entry, limits } = this.message;
    if (status === "timeout") return entryTimedOut(entry, this.#timeoutMs);
    if (status === "out_of_memory") return guestError("sandbox_out_of_memory", entry, String(limits.memoryBytes));
    const thrown = this.#effects.result?.error;
    if (!thrown && status === "ok") return undefined;
    if (!thrown) return { code, name: "Error", message: `${entry} ended without a readable error`, stack: "" };
    const { name, message, stack, origin } = thrown;
    return { code, name, message, stack: this.#stackOf(stack), ...(origin && { origin: this.#stackOf(origin) }) };
  }

  #end(status: CallEnd["status"], clean: boolean, code = "component_threw"): void {
    if (this.#isOver) return;
    this.drop();
    this.#effects.end();
    const error = this.#error(status, code);
    this.#port.left(this.#machine);
    const { result, left, droppedLogs } = this.#effects;
    this.#port.ended(
      {
        status,
        ...(error ? { error } : {}),
        ...(status === "ok" && result?.result !== undefined ? { result: result.result } : {}),
        durationMs: performance.now() - this.#startedAt,
        computeMs: this.#computeMs,
        memoryBytes: this.#machine.memory.buffer.byteLength,
        ...(status === "ok" && left ? { left } : {}),
        ...(droppedLogs > 0 ? { droppedLogs } : {}),
      },
      clean,
    );
  }
}
