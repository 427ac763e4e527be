import type { LeftWork } from "../contract.ts";
import { hostOp } from "../ops.ts";
import type { BundleStack } from "./bundle-text.ts";
import type { CallFetches } from "./call-fetches.ts";
import type { CallTimers } from "./call-timers.ts";
import { EffectGate, type EffectRules, readEmitMeta, storedMeta } from "./effects.ts";
import { parseGuestJson, parseGuestText, splitLine } from "./guest-json.ts";
import { type CallResult, isList, readCallResult, readLeft, readResponse } from "./guest-results.ts";
import { answerPure } from "./host-ops.ts";
import type { SandboxCallMessage, FromWorker, UnnumberedEffect } from "./messages.ts";
import type { Rejections } from "./rejections.ts";

type LogEffect = Extract<UnnumberedEffect, { readonly k: "log" }>;

const longestLevel = 20;
const maxLogParts = 4;
const maxDataStoreParts = 8;
/** Timers live on the host's side, so the guest's memory does not limit them. */
const maxTimers = 20_000;
const maxSteps = 100;
const longestStepName = 64;

export interface CallEffectsParts {
  readonly message: Pick<SandboxCallMessage, "id" | "entry" | "text">;
  readonly rules: EffectRules;
  readonly stackOf: BundleStack;
  readonly fetches: CallFetches;
  readonly timers: CallTimers;
  readonly rejections: Rejections;
  effect(effect: UnnumberedEffect): void;
  post(message: FromWorker): void;
}

/** Answers the host functions that the guest calls during one call: checks each effect and passes it on. */
export class CallEffects {
  readonly #parts: CallEffectsParts;
  readonly #gate: EffectGate;
  readonly #logs: LogTail<LogEffect>;
  #hasResponded = false;
  #steps = 0;
  result: CallResult | undefined;
  /** Work that the entry did not await. */
  left: LeftWork | undefined;
  /** The workflow called `$.flow.exit`. */
  hasExited = false;
  /** An effect came after the entry had returned. */
  hasLateEffect = false;
  /** The guest exceeded a limit of requests or timers; `result` says which. */
  isStopped = false;

  constructor(parts: CallEffectsParts) {
    this.#parts = parts;
    this.#gate = new EffectGate(parts.rules, parts.message.text);
    this.#logs = new LogTail(parts.rules.logsPerRun);
  }

  /** Log records that were never posted. */
  get droppedLogs(): number {
    return this.#logs.dropped;
  }

  /** Answers a host function; a returned text is an error to throw, as `Name\nmessage`, or the function's value. */
  answer(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined {
    try {
      return this.#answer(op, text, bytes);
    } catch {
      // The guest forged a call: the prelude sends no such text.
      return "Error\nThe host refused a malformed call";
    }
  }

  /** Logs the unhandled rejections and posts the last log records. */
  end(): void {
    const { rejections, effect } = this.#parts;
    for (const message of rejections.messages) this.#log("error", message);
    for (const log of this.#logs.end()) effect(log);
  }

  #answer(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined {
    const { message, fetches, timers, rejections, stackOf } = this.#parts;
    switch (op) {
      case hostOp.emit:
        return this.#emit(text);
      case hostOp.dbSet:
        return this.#dbSet(text);
      case hostOp.log: {
        const [head, data] = splitLine(text);
        const { level, msg } = parseGuestJson(head, maxLogParts) as { level: unknown; msg: unknown };
        this.#log(String(level), String(msg), data);
        return undefined;
      }
      case hostOp.respond:
        return this.#respond(text, bytes ?? new Uint8Array(0));
      case hostOp.responseLimit:
        return String(this.#parts.rules.responseBytes);
      case hostOp.step:
        return this.#beginStep(parseGuestText(text));
      case hostOp.exit:
        this.hasExited = true;
        return undefined;
      case hostOp.fetch:
        return this.#startFetch(text, bytes);
      case hostOp.dataStore:
        return this.#askDataStore(text);
      case hostOp.fetchAbort:
        fetches.abort(Number(text));
        return undefined;
      case hostOp.timerStart:
        return this.#startTimer(text);
      case hostOp.timerClear:
        timers.clear(Number(text));
        return undefined;
      case hostOp.left:
        this.left ??= readLeft(text, stackOf);
        return undefined;
      case hostOp.done:
        this.result ??= readCallResult(text, message.entry, this.#gate);
        return undefined;
      default:
        return rejections.receive(op, text) ? undefined : answerPure(op, text, bytes);
    }
  }

  #emit(text: string): string | undefined {
    const [metaText, payload] = splitLine(text);
    const given = readEmitMeta(metaText);
    const refusal = this.#gate.emit(given, payload, metaText);
    this.#noteEffect();
    const meta = JSON.stringify(storedMeta(given, this.#parts.rules));
    if (refusal === undefined)
      this.#parts.effect({ k: "emit", id: this.#parts.message.id, meta, payload, at: Date.now() });
    return refusal;
  }

  #dbSet(text: string): string | undefined {
    const [keyJson, valueJson] = splitLine(text);
    const key = parseGuestText(keyJson);
    const value = valueJson === "" ? undefined : valueJson;
    const refusal = this.#gate.dbSet(key, value);
    this.#noteEffect();
    if (refusal === undefined) this.#parts.effect({ k: "db", id: this.#parts.message.id, key, value });
    return refusal;
  }

  /** Only the first response is sent. */
  #respond(head: string, body: Uint8Array): string | undefined {
    this.#noteEffect();
    const refusal = this.#gate.response(body);
    if (refusal !== undefined || this.#hasResponded) return refusal;
    const response = readResponse(head);
    this.#hasResponded = true;
    this.#parts.post({ k: "respond", id: this.#parts.message.id, ...response, body });
    return undefined;
  }

  #noteEffect(): void {
    this.hasLateEffect ||= this.result !== undefined;
  }

  #beginStep(name: string): undefined {
    this.#steps += 1;
    // No workflow has more steps than that; the guest forged the others.
    if (this.#steps <= maxSteps)
      this.#parts.effect({ k: "step", id: this.#parts.message.id, name: name.slice(0, longestStepName) });
    return undefined;
  }

  #askDataStore(text: string): string | undefined {
    const [head, value] = splitLine(text);
    const { dataStore } = parseGuestJson(head, maxDataStoreParts) as { dataStore: { op: unknown; key: unknown } };
    const { op, key } = dataStore;
    const writes = op === "set" || op === "delete";
    const hasKey = writes || op === "get" || op === "has";
    if (hasKey && typeof key !== "string") throw new TypeError("A key of a data store is a text");
    const refusal = hasKey ? this.#gate.dataStore(String(key), value === "" ? undefined : value, writes) : undefined;
    if (writes) this.#noteEffect();
    if (refusal !== undefined) return refusal;
    const body = value === "" ? undefined : Buffer.from(value);
    const stop = this.#parts.fetches.start(head, body, this.result === undefined, "dataStore");
    return stop === undefined ? undefined : this.#stop("FetchLimitError", stop);
  }

  #startFetch(head: string, body: Uint8Array | undefined): undefined {
    const refusal = this.#parts.fetches.start(head, body, this.result === undefined);
    return refusal === undefined ? undefined : this.#stop("FetchLimitError", refusal);
  }

  #startTimer(text: string): undefined {
    const { message, timers } = this.#parts;
    const [timerId, ms] = parseGuestJson(text, 2) as [unknown, unknown];
    if (typeof timerId !== "number") return undefined;
    if (timers.size >= maxTimers)
      return this.#stop("TimerLimitError", `${message.entry} has more than ${maxTimers} timers under way`);
    timers.start(timerId, Number(ms));
    return undefined;
  }

  /** Ends the call as soon as the guest can be interrupted. */
  #stop(name: string, message: string): undefined {
    this.isStopped = true;
    this.result = { error: { name, message, stack: "" } };
    return undefined;
  }

  #log(level: string, msg: string, data = "[]"): void {
    const { message, stackOf, effect } = this.#parts;
    const text = this.#gate.cut(stackOf(this.#gate.cut(msg)));
    const isWhole = this.#gate.cut(data) === data && isList(data);
    const log = this.#logs.add({
      at: Date.now(),
      k: "log",
      id: message.id,
      level: level.slice(0, longestLevel),
      msg: text,
      data: isWhole ? stackOf(data) : JSON.stringify([text]),
    });
    if (log) effect(log);
  }
}

/** How many times `keep` records are posted at once, so that they survive the end of the thread. */
const postedTimes = 10;

/** Log records of one call. After the first ones, only the last `keep` records are posted, at the end of the call. */
class LogTail<Log> {
  readonly #keep: number;
  #posted = 0;
  #waiting: Log[] = [];
  #dropped = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the record when it is to be posted now. */
  add(log: Log): Log | undefined {
    if (this.#posted < postedTimes * this.#keep) {
      this.#posted += 1;
      return log;
    }
    this.#waiting.push(log);
    if (this.#waiting.length > 2 * this.#keep) this.#trim();
    return undefined;
  }

  /** Returns the records that remain to be posted. */
  end(): readonly Log[] {
    this.#trim();
    return this.#waiting.splice(0);
  }

  #trim(): void {
    const excess = Math.max(0, this.#waiting.length - this.#keep);
    this.#dropped += excess;
    this.#waiting.splice(0, excess);
  }
}
