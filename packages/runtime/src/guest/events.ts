/** Event, EventTarget, DOMException, AbortController and AbortSignal of the Web platform. */

/** The codes that the standard keeps for older names. */
const exceptionCodes: Record<string, number> = {
  HierarchyRequestError: 3,
  InvalidCharacterError: 5,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
};

export class DOMException extends Error {
  readonly code: number;
  constructor(message: unknown = "", given: unknown = "Error") {
    super(String(message));
    const { name, cause } =
      typeof given === "object" && given !== null
        ? { name: "Error", ...(given as { name?: string; cause?: unknown }) }
        : { name: String(given), cause: undefined };
    if (cause !== undefined) Object.defineProperty(this, "cause", { value: cause, configurable: true, writable: true });
    this.code = exceptionCodes[name] ?? 0;
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
  }
}

export class Event {
  readonly type: string;
  readonly cancelable: boolean;
  readonly timeStamp = 0;
  defaultPrevented = false;
  target: unknown = null;
  stopped = false;
  constructor(...given: [type?: string, options?: { cancelable?: boolean }]) {
    if (given.length === 0) throw new TypeError("An event has a type");
    const [type, options = {}] = given;
    this.type = String(type);
    this.cancelable = Boolean(options.cancelable);
  }
  get currentTarget(): unknown {
    return this.target;
  }
  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    this.stopped = true;
  }
}

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

interface ListenerOptions {
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

export class EventTarget {
  get [Symbol.toStringTag](): string {
    return "EventTarget";
  }

  #listeners: { type: string; listener: Listener; once: boolean }[] = [];

  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void {
    if (!listener || this.#listeners.some((entry) => entry.type === type && entry.listener === listener)) return;
    const { once = false, signal } = typeof options === "object" ? options : {};
    if (signal?.aborted) return;
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
    this.#listeners.push({ type, listener, once: Boolean(once) });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
  }

  dispatchEvent(event: Event): boolean {
    event.target = this;
    for (const entry of this.#listeners.filter((each) => each.type === event.type)) {
      if (entry.once) this.removeEventListener(entry.type, entry.listener);
      if (typeof entry.listener === "function") entry.listener.call(this, event);
      else entry.listener.handleEvent(event);
      if (event.stopped) break;
    }
    return !event.defaultPrevented;
  }
}

/** Only this module makes signals. */
const own = Symbol("own");

export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  #onabort: ((event: Event) => void) | null = null;

  constructor(maker?: unknown) {
    if (maker !== own) throw new TypeError("Illegal constructor");
    super();
  }
  override get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }
  get onabort(): ((event: Event) => void) | null {
    return this.#onabort;
  }
  set onabort(listener: ((event: Event) => void) | null) {
    this.removeEventListener("abort", this.#onabort);
    this.#onabort = typeof listener === "function" ? listener : null;
    this.addEventListener("abort", this.#onabort);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = newSignal();
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = newSignal();
    const timer = (globalThis as unknown as { setTimeout(run: () => void, ms: number): unknown }).setTimeout;
    timer(() => abortSignal(signal, new DOMException("The operation timed out.", "TimeoutError")), ms);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const joined = newSignal();
    for (const signal of signals) {
      if (signal.aborted) {
        abortSignal(joined, signal.reason);
        break;
      }
      signal.addEventListener("abort", () => abortSignal(joined, signal.reason), { once: true });
    }
    return joined;
  }
}

function abortSignal(signal: AbortSignal, reason: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
  signal.dispatchEvent(new Event("abort"));
}

/** A signal that nothing aborts yet. */
export const newSignal = (): AbortSignal => new AbortSignal(own);

export class AbortController {
  readonly signal: AbortSignal = newSignal();
  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
  abort(reason?: unknown): void {
    abortSignal(this.signal, reason);
  }
}
