import { defineHandler, DOMException, Event, EventTarget } from "./events.ts";

/** Only code of this module can construct signals. */
const constructorKey = Symbol("constructor key");

let abortSignal: (signal: AbortSignal, reason: unknown) => void;

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  /** Signals that this one aborts. */
  #dependents: AbortSignal[] = [];
  /** Signals that abort this one. */
  #sources: AbortSignal[] = [];

  static {
    abortSignal = (signal, reason) => {
      if (signal.#aborted) return;
      const why = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      const fired = [signal, ...signal.#dependents.filter((each) => !each.#aborted)];
      for (const each of fired) {
        each.#aborted = true;
        each.#reason = why;
      }
      for (const each of fired) each.dispatchEvent(new Event("abort"));
    };
    defineHandler(AbortSignal.prototype, "abort");
  }

  declare onabort: ((event: Event) => void) | null;

  constructor(key?: unknown) {
    if (key !== constructorKey) throw new TypeError("Illegal constructor");
    super();
  }
  override get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }
  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = newSignal();
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(ms?: unknown): AbortSignal {
    if (typeof ms !== "number")
      throw Object.assign(new TypeError('The "delay" argument must be of type number.'), {
        code: "ERR_INVALID_ARG_TYPE",
      });
    if (!Number.isInteger(ms) || ms < 0 || ms > Number.MAX_SAFE_INTEGER)
      throw Object.assign(new RangeError(`The value of "delay" is out of range. Received ${ms}`), {
        code: "ERR_OUT_OF_RANGE",
      });
    const signal = newSignal();
    const timer = (
      globalThis as unknown as { setTimeout(run: () => void, ms: number): { unref?(): unknown } | undefined }
    ).setTimeout;
    const fail = (): void =>
      abortSignal(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    timer(fail, ms)?.unref?.();
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const given = [...signals];
    if (given.some((each) => !(each instanceof AbortSignal)))
      throw new TypeError('The "signals" argument must be an array of AbortSignal');
    const joined = newSignal();
    const aborted = given.find((each) => each.#aborted);
    if (aborted) {
      joined.#aborted = true;
      joined.#reason = aborted.#reason;
      return joined;
    }
    joined.#sources = [...new Set(given.flatMap((each) => (each.#sources.length > 0 ? each.#sources : [each])))];
    for (const source of joined.#sources) source.#dependents.push(joined);
    return joined;
  }
}

/** A signal that is not aborted. */
export const newSignal = (): AbortSignal => new AbortSignal(constructorKey);

export class AbortController {
  readonly #signal: AbortSignal = newSignal();
  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason?: unknown): void {
    abortSignal(this.#signal, reason);
  }
}
