/** Event, EventTarget, DOMException, AbortController and AbortSignal of the Web platform. */

export class DOMException extends Error {
  readonly code: number = 0;
  constructor(message = "", name = "Error") {
    super(message);
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
  constructor(type: string, options: { cancelable?: boolean } = {}) {
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

export class EventTarget {
  #listeners: { type: string; listener: Listener; once: boolean }[] = [];

  addEventListener(type: string, listener: Listener | null, options?: { once?: boolean } | boolean): void {
    if (!listener || this.#listeners.some((entry) => entry.type === type && entry.listener === listener)) return;
    this.#listeners.push({ type, listener, once: typeof options === "object" && Boolean(options.once) });
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

export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  onabort: ((event: Event) => void) | null = null;

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal();
    const timer = (globalThis as unknown as { setTimeout(run: () => void, ms: number): unknown }).setTimeout;
    timer(() => abortSignal(signal, new DOMException("The operation timed out.", "TimeoutError")), ms);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const joined = new AbortSignal();
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
  const event = new Event("abort");
  signal.onabort?.(event);
  signal.dispatchEvent(event);
}

export class AbortController {
  readonly signal = new AbortSignal();
  abort(reason?: unknown): void {
    abortSignal(this.signal, reason);
  }
}
