import { guestError } from "../../model/error-catalogue/guest-error.ts";
import { performance } from "node:perf_hooks";

import type { LeftWork } from "../contract.ts";
import { type BundleStack, createBundleStack } from "./bundle-text.ts";
import { CallFetches } from "./call-fetches.ts";
import { type CallTimers, createCallTimers } from "./call-timers.ts";
import { EffectGate, type EffectRules, keptMeta, readEmitMeta } from "./effects.ts";
import { parseGuestJson, parseGuestText } from "./guest-json.ts";
import { MachineFailure } from "../machine/quickjs-machine.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { type Heartbeat, sharedNow } from "./heartbeat.ts";
import { answerPure } from "./host-ops.ts";
import { type CallEnd, type FromWorker, largeAnswer, type SandboxCallMessage } from "./messages.ts";
import { guestOp, hostOp } from "../ops.ts";
import type { UnnumberedEffect } from "./thread-sender.ts";
import { Rejections } from "./rejections.ts";
import { LogTail } from "./log-tail.ts";
import { readLeft } from "./left.ts";
import { cutLine, isList, readResponse, readResult, type SaidOfCall } from "./said.ts";

type Unnumbered<K> = Extract<UnnumberedEffect, { readonly k: K }>;

const jobsPerSlice = 64;
/** At this share of its cap a sandbox that fails without words has run out of memory. */
const fullMemoryShare = 0.75;
const logWarnLimit = 20;
/** Timers live on the host's side, so the guest's memory does not bound them. */
const mostTimers = 20_000;
const mostSteps = 100;
const mostLogParts = 4;
const longestName = 64;

export interface CallPort {
  effect(effect: UnnumberedEffect): void;
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  flush(): void;
  /** The guest will not be entered for this call again. */
  left(machine: GuestMachine): void;
  ended(end: CallEnd, clean: boolean): void;
  /** The call kept the thread busy for so long. */
  busy(call: GuestCall, ms: number): void;
}

/** One call under way in one machine: enters the guest, pumps its jobs, answers its host functions, decides how it ended. */
export class GuestCall {
  readonly message: SandboxCallMessage;
  readonly #machine: GuestMachine;
  readonly #beat: Heartbeat;
  readonly #port: CallPort;
  readonly #rules: EffectRules;
  readonly #gate: EffectGate;
  readonly #logs: LogTail<Unnumbered<"log">>;
  readonly #stackOf: BundleStack;
  readonly #timers: CallTimers;
  readonly #startedAt = performance.now();
  #deadline: number;
  /** What the call is said to have run longer than. */
  #timeoutMs: number;
  #wall: NodeJS.Timeout | undefined;
  readonly fetches: CallFetches;
  #steps = 0;
  #answered = false;
  #computeMs = 0;
  #interrupted = false;
  #stopped = false;
  readonly #rejections: Rejections;
  /** The workflow has been told to end. */
  #exited = false;
  #result: SaidOfCall | undefined;
  /** An effect came after the entry had returned. */
  #isLate = false;
  #left: LeftWork | undefined;
  #over = false;

  /** `code` is that of its module; `spentMs` of the call's time went into evaluating it. */
  constructor(
    message: SandboxCallMessage,
    machine: GuestMachine,
    beat: Heartbeat,
    port: CallPort,
    rules: EffectRules,
    { code, spentMs = 0 }: { readonly code: string; readonly spentMs?: number },
  ) {
    this.message = message;
    this.#logs = new LogTail(rules.logsPerRun);
    this.#stackOf = createBundleStack(code, machine.columns);
    this.#rejections = new Rejections(rules, this.#stackOf);
    this.#machine = machine;
    this.#beat = beat;
    this.#port = port;
    this.#rules = rules;
    this.#gate = new EffectGate(rules, message.text);
    this.fetches = new CallFetches(message, {
      post: (message) => this.#port.post(message),
      refuse: (fetchId, failure) => setImmediate(() => this.settle(fetchId, undefined, undefined, failure)),
    });
    this.#timers = createCallTimers(message.mostSkippedMs, (timerId) => {
      if (!this.#over) this.#run(guestOp.timers, `[${timerId}]`);
    });
    this.#timeoutMs = message.limits.timeoutMs;
    this.#deadline = sharedNow() + message.limits.timeoutMs - spentMs;
    machine.attach({
      dispatch: (op, text, bytes) => this.#dispatch(op, text, bytes),
      shouldInterrupt: () => this.#shouldInterrupt(),
      remainingMs: () => this.#deadline - sharedNow(),
    });
  }

  start(): void {
    this.#armWall();
    this.#run(guestOp.call, this.message.text);
  }

  /** Another call kept this thread busy for so long; that time is not this call's. */
  extend(ms: number): void {
    if (this.#over) return;
    this.#deadline += ms;
    this.#armWall();
  }

  /** Ends it without a word: its owner goes on with it elsewhere. */
  drop(): void {
    this.#over = true;
    clearTimeout(this.#wall);
    this.fetches.close();
    this.#timers.close();
  }

  settle(fetchId: number, reply: object | undefined, body: Uint8Array | undefined, error: object | undefined): void {
    // What was cancelled meanwhile counts no more.
    if (this.#over || !this.fetches.forget(fetchId)) return;
    if (body && body.byteLength >= largeAnswer) this.#port.post({ k: "taken", id: this.message.id, fetchId });
    this.#run(guestOp.fetched, JSON.stringify({ ...reply, id: fetchId, error }), body);
  }

  #armWall(): void {
    clearTimeout(this.#wall);
    const delay = Math.min(this.#deadline - sharedNow(), 2 ** 31 - 1);
    this.#wall = setTimeout(() => this.#timeOut(), Math.max(0, delay));
  }

  #timeOut(): void {
    if (this.#over) return;
    if (sharedNow() < this.#deadline) return this.#armWall();
    this.#end("timeout", false);
  }

  #shouldInterrupt(): boolean {
    if (!this.#beat.mayGoOn()) this.#stopped = true;
    if (this.#stopped) return true;
    if (sharedNow() < this.#deadline) return false;
    this.#interrupted = true;
    return true;
  }

  /** Enters the guest and runs its jobs until it is done or waits for the host. */
  #run(op: number, text: string, bytes?: Uint8Array): void {
    const enteredAt = performance.now();
    this.#beat.enter(this.message.id, this.#deadline);
    let alive: boolean;
    try {
      alive = this.#machine.enter(op, text, bytes);
      while (alive && !this.#interrupted && !this.#stopped && this.#rejections.hasNext(this.#machine)) {
        alive = this.#rejections.next(this.#machine, jobsPerSlice);
        if (sharedNow() >= this.#deadline) this.#interrupted = true;
      }
    } catch (error) {
      alive = false;
      if (error instanceof MachineFailure)
        this.#result = { error: { name: "Error", message: error.message, stack: "" } };
      else throw error;
      this.#leave(enteredAt);
      return this.#end(this.#isFull() ? "out_of_memory" : "error", false, "sandbox_crashed");
    }
    this.#leave(enteredAt);
    if (this.#stopped) return this.#end("error", false);
    if (this.#interrupted) return this.#end("timeout", false);
    if (!alive) return this.#end(this.#isFull() ? "out_of_memory" : "error", false, "sandbox_crashed");
    if (this.#result) return this.#finish();
    if (this.#timers.size === 0 && this.fetches.size === 0) return this.#stuck();
    if (this.fetches.size === 0 && !this.#timers.skip()) {
      this.#timeoutMs = this.message.mostSkippedMs;
      return this.#end("timeout", false);
    }
    this.#port.flush();
  }

  #leave(enteredAt: number): void {
    this.#beat.leave();
    const busyMs = performance.now() - enteredAt;
    this.#computeMs += busyMs;
    this.#port.busy(this, busyMs);
  }

  #finish(): void {
    const error = this.#result?.error;
    if (!error) {
      this.#askLeft();
      return this.#end("ok", true);
    }
    const memory =
      error.message === "out of memory" ||
      (this.#isFull() && (error.message === "null" || error.name === "InternalError"));
    this.#end(memory ? "out_of_memory" : "error", !memory);
  }

  /** Asks the guest what its entry has left behind (S37). */
  #askLeft(): void {
    const timers = this.#timers.ids;
    const requests = this.fetches.ids;
    if (this.#exited || (!this.#isLate && timers.length === 0 && requests.length === 0)) return;
    const enteredAt = performance.now();
    this.#beat.enter(this.message.id, this.#deadline);
    try {
      this.#machine.enter(guestOp.left, JSON.stringify({ timers, requests }));
    } catch {
      // The run has ended well; what is left is not worth its failure.
    }
    this.#leave(enteredAt);
  }

  #stuck(): void {
    // A job that found no memory died silently, and with it what would have settled the promise.
    if (this.#isFull()) return this.#end("out_of_memory", false);
    if (this.#exited) return this.#end("ok", false);
    const message = `${this.message.entry} awaits a promise that nothing can settle`;
    this.#result = { error: { name: "Error", message, stack: `Error: ${message}` } };
    this.#end("error", false);
  }

  #isFull(): boolean {
    return this.#machine.memory.buffer.byteLength >= this.message.limits.memoryBytes * fullMemoryShare;
  }

  #error(status: CallEnd["status"], code: string): CallEnd["error"] {
    const { entry, limits } = this.message;
    const timeoutMs = this.#timeoutMs;
    if (status === "timeout") {
      return guestError("sandbox_timeout", entry, String(timeoutMs));
    }
    if (status === "out_of_memory") {
      return guestError("sandbox_out_of_memory", entry, String(limits.memoryBytes));
    }
    const thrown = this.#result?.error;
    if (thrown) {
      const { name, message, stack, origin } = thrown;
      return { code, name, message, stack: this.#stackOf(stack), ...(origin && { origin: this.#stackOf(origin) }) };
    }
    return status === "error"
      ? { code, name: "Error", message: `${entry} ended without an error that can be read`, stack: "" }
      : undefined;
  }

  #end(status: CallEnd["status"], clean: boolean, code = "component_threw"): void {
    if (this.#over) return;
    this.drop();
    for (const message of this.#rejections.messages) this.#log("error", message);
    for (const log of this.#logs.end()) this.#port.effect(log);
    const error = this.#error(status, code);
    this.#port.left(this.#machine);
    this.#port.ended(
      {
        status,
        ...(error ? { error } : {}),
        ...(status === "ok" && this.#result?.result !== undefined ? { result: this.#result.result } : {}),
        durationMs: performance.now() - this.#startedAt,
        computeMs: this.#computeMs,
        memoryBytes: this.#machine.memory.buffer.byteLength,
        ...(status === "ok" && this.#left ? { left: this.#left } : {}),
        ...(this.#logs.dropped > 0 ? { droppedLogs: this.#logs.dropped } : {}),
      },
      clean,
    );
  }

  #dispatch(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined {
    if (this.#over) return undefined;
    try {
      return this.#effect(op, text, bytes);
    } catch {
      // Forged calls of the dispatch function: text that is not what the prelude sends.
      return "Error\nThe host refused a malformed call";
    }
  }

  #effect(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined {
    const id = this.message.id;
    switch (op) {
      case hostOp.emit: {
        const [metaText, payload] = cutLine(text);
        const given = readEmitMeta(metaText);
        const refusal = this.#gate.emit(given, payload, metaText);
        this.#isLate ||= this.#result !== undefined;
        const meta = JSON.stringify(keptMeta(given, this.#rules));
        if (refusal === undefined) this.#port.effect({ k: "emit", id, meta, payload, at: Date.now() });
        return refusal;
      }
      case hostOp.dbSet: {
        const [keyJson, valueJson] = cutLine(text);
        const key = parseGuestText(keyJson);
        const value = valueJson === "" ? undefined : valueJson;
        const refusal = this.#gate.dbSet(key, value);
        this.#isLate ||= this.#result !== undefined;
        if (refusal === undefined) this.#port.effect({ k: "db", id, key, value });
        return refusal;
      }
      case hostOp.log: {
        const [head, data] = cutLine(text);
        const { level, msg } = parseGuestJson(head, mostLogParts) as { level: unknown; msg: unknown };
        this.#log(String(level), String(msg), data);
        return undefined;
      }
      case hostOp.respond: {
        this.#isLate ||= this.#result !== undefined;
        return this.#respond(text, bytes ?? new Uint8Array(0));
      }
      case hostOp.step:
        return this.#beginStep(parseGuestText(text));
      case hostOp.exit:
        this.#exited = true;
        return undefined;
      case hostOp.fetch:
        return this.#startFetch(text, bytes);
      case hostOp.fetchAbort:
        this.fetches.abort(Number(text));
        return undefined;
      case hostOp.timerStart:
        return this.#startTimer(text);
      case hostOp.timerClear:
        this.#timers.clear(Number(text));
        return undefined;
      case hostOp.left:
        this.#left ??= readLeft(text, this.#stackOf);
        return undefined;
      case hostOp.done:
        this.#result ??= readResult(text, this.message.entry, this.#gate);
        return undefined;
      default:
        return this.#rejections.hear(op, text) ? undefined : answerPure(op, text, bytes);
    }
  }

  /** The first one is the answer. */
  #respond(head: string, body: Uint8Array): string | undefined {
    const refusal = this.#gate.response(body);
    if (refusal !== undefined || this.#answered) return refusal;
    const response = readResponse(head);
    this.#answered = true;
    this.#port.post({ k: "respond", id: this.message.id, ...response, body });
    return undefined;
  }

  #beginStep(name: string): undefined {
    this.#steps += 1;
    // A workflow has few; others that are said to begin are made up.
    if (this.#steps <= mostSteps)
      this.#port.effect({ k: "step", id: this.message.id, name: name.slice(0, longestName) });
    return undefined;
  }

  #startFetch(head: string, body: Uint8Array | undefined): undefined {
    const refusal = this.fetches.start(head, body, this.#result === undefined);
    return refusal === undefined ? undefined : this.#stop("FetchLimitError", refusal);
  }

  /** Ends the call as soon as the guest can be left: it asks for more than the host gives. */
  #stop(name: string, message: string): undefined {
    this.#stopped = true;
    this.#result = { error: { name, message, stack: "" } };
    return undefined;
  }

  #startTimer(text: string): undefined {
    const [timerId, ms] = parseGuestJson(text, 2) as [unknown, unknown];
    if (typeof timerId !== "number") return undefined;
    if (this.#timers.size >= mostTimers)
      return this.#stop("TimerLimitError", `${this.message.entry} has more than ${mostTimers} timers under way`);
    this.#timers.start(timerId, Number(ms));
    return undefined;
  }

  #log(level: string, msg: string, data = "[]"): void {
    const text = this.#gate.cut(this.#stackOf(this.#gate.cut(msg)));
    const isWhole = this.#gate.cut(data) === data && isList(data);
    const kept = isWhole ? this.#stackOf(data) : JSON.stringify([text]);
    const now = this.#logs.add({
      at: Date.now(),
      k: "log",
      id: this.message.id,
      level: level.slice(0, logWarnLimit),
      msg: text,
      data: kept,
    });
    if (now) this.#port.effect(now);
  }
}
