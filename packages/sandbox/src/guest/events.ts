/** Event, CustomEvent, EventTarget and DOMException of the Web platform. */

/** The standard's constants, in the order of their codes. */
const constants =
  "INDEX_SIZE,DOMSTRING_SIZE,HIERARCHY_REQUEST,WRONG_DOCUMENT,INVALID_CHARACTER,NO_DATA_ALLOWED,NO_MODIFICATION_ALLOWED,NOT_FOUND,NOT_SUPPORTED,INUSE_ATTRIBUTE,INVALID_STATE,SYNTAX,INVALID_MODIFICATION,NAMESPACE,INVALID_ACCESS,VALIDATION,TYPE_MISMATCH,SECURITY,NETWORK,ABORT,URL_MISMATCH,QUOTA_EXCEEDED,TIMEOUT,INVALID_NODE_TYPE,DATA_CLONE".split(
    ",",
  );
/** Constants without an error of that name. */
const unnamed = ["DOMSTRING_SIZE", "NO_DATA_ALLOWED", "VALIDATION"];
const codes = new Map(
  constants.map((name, index) => [`${name.replaceAll("_", "")}ERROR`, unnamed.includes(name) ? 0 : index + 1]),
);

export class DOMException extends Error {
  readonly code: number;
  constructor(message: unknown = "", given: unknown = "Error") {
    super(String(message));
    const { name, cause } =
      typeof given === "object" && given !== null
        ? { name: "Error", ...(given as { name?: string; cause?: unknown }) }
        : { name: String(given), cause: undefined };
    if (cause !== undefined) Object.defineProperty(this, "cause", { value: cause, configurable: true, writable: true });
    this.code = /^[A-Z].*Error$/.test(name) ? (codes.get(name.toUpperCase()) ?? 0) : 0;
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
  }
  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}
for (const [index, name] of constants.entries())
  for (const target of [DOMException, DOMException.prototype])
    Object.defineProperty(target, `${name}_ERR`, { value: index + 1, enumerable: true });

interface EventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
}

interface EventState {
  readonly type: string;
  readonly options: EventOptions;
  readonly timeStamp: number;
  target: unknown;
  dispatching: boolean;
  prevented: boolean;
  stopped: boolean;
  stoppedAtOnce: boolean;
  passive: boolean;
}

let stateOf: (event: Event) => EventState;

export class Event {
  readonly #state: EventState;
  static {
    stateOf = (event) => event.#state;
    for (const [phase, name] of ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"].entries())
      for (const target of [Event, Event.prototype])
        Object.defineProperty(target, name, { value: phase, enumerable: true });
  }
  constructor(...given: [type?: string, options?: EventOptions | null]) {
    if (given.length === 0) throw new TypeError('The "type" argument must be specified');
    const [type, options] = given;
    if (options !== undefined && options !== null && typeof options !== "object")
      throw new TypeError('The "options" argument must be of type object');
    this.#state = {
      type: String(type),
      options: { ...options },
      timeStamp: performance.now(),
      target: null,
      dispatching: false,
      prevented: false,
      stopped: false,
      stoppedAtOnce: false,
      passive: false,
    };
    Object.defineProperty(this, "isTrusted", { value: false, enumerable: true });
  }
  get [Symbol.toStringTag](): string {
    return "Event";
  }
  get type(): string {
    return this.#state.type;
  }
  get target(): unknown {
    return this.#state.target;
  }
  get srcElement(): unknown {
    return this.#state.target;
  }
  get currentTarget(): unknown {
    return this.#state.dispatching ? this.#state.target : null;
  }
  get bubbles(): boolean {
    return Boolean(this.#state.options.bubbles);
  }
  get cancelable(): boolean {
    return Boolean(this.#state.options.cancelable);
  }
  get composed(): boolean {
    return Boolean(this.#state.options.composed);
  }
  get defaultPrevented(): boolean {
    return this.#state.prevented;
  }
  get returnValue(): boolean {
    return !this.#state.prevented;
  }
  get eventPhase(): number {
    return this.#state.dispatching ? 2 : 0;
  }
  get timeStamp(): number {
    return this.#state.timeStamp;
  }
  get cancelBubble(): boolean {
    return this.#state.stopped;
  }
  set cancelBubble(value: boolean) {
    if (value) this.#state.stopped = true;
  }
  composedPath(): unknown[] {
    return this.#state.dispatching ? [this.#state.target] : [];
  }
  preventDefault(): void {
    if (this.cancelable && !this.#state.passive) this.#state.prevented = true;
  }
  stopPropagation(): void {
    this.#state.stopped = true;
  }
  stopImmediatePropagation(): void {
    this.#state.stopped = true;
    this.#state.stoppedAtOnce = true;
  }
}

export class CustomEvent extends Event {
  readonly #detail: unknown;
  constructor(...given: [type?: string, options?: EventOptions & { detail?: unknown }]) {
    super(...given);
    this.#detail = given[1]?.detail ?? null;
  }
  override get [Symbol.toStringTag](): string {
    return "CustomEvent";
  }
  get detail(): unknown {
    return this.#detail;
  }
}

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

interface ListenerOptions {
  readonly once?: boolean;
  readonly capture?: boolean;
  readonly passive?: boolean;
  readonly signal?: EventTarget & { readonly aborted: boolean };
}

interface Registered {
  readonly type: string;
  readonly listener: Listener;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
}

declare const performance: { now(): number };

const isCapture = (options: unknown): boolean =>
  Boolean(typeof options === "object" && options !== null ? (options as ListenerOptions).capture : options);

let reportListenerError: (error: unknown) => void = () => undefined;

/** Sets the receiver of exceptions that listeners throw. */
export function reportListenerErrors(report: (error: unknown) => void): void {
  reportListenerError = report;
}

export class EventTarget {
  get [Symbol.toStringTag](): string {
    return "EventTarget";
  }

  #listeners: Registered[] = [];

  addEventListener(
    ...given: [type?: unknown, listener?: Listener | null, options?: ListenerOptions | boolean | null]
  ): void {
    if (given.length < 2) throw new TypeError('The "type" and "listener" arguments must be specified');
    const [type, listener, options] = given;
    const { once, passive, signal } = typeof options === "object" ? (options ?? {}) : ({} as ListenerOptions);
    if (signal !== undefined && typeof signal?.addEventListener !== "function")
      throw new TypeError('The "options.signal" property must be an instance of AbortSignal.');
    if (listener === null || listener === undefined) return;
    if (typeof listener !== "function" && typeof listener !== "object")
      throw new TypeError('The "listener" argument must be an instance of EventListener.');
    const capture = isCapture(options);
    if (signal?.aborted || this.#find(String(type), listener, capture)) return;
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener, options), { once: true });
    this.#listeners.push({ type: String(type), listener, capture, once: Boolean(once), passive: Boolean(passive) });
  }

  #find(type: string, listener: unknown, capture: boolean): Registered | undefined {
    return this.#listeners.find((each) => each.type === type && each.listener === listener && each.capture === capture);
  }

  removeEventListener(
    ...given: [type?: unknown, listener?: Listener | null, options?: ListenerOptions | boolean | null]
  ): void {
    if (given.length < 2) throw new TypeError('The "type" and "listener" arguments must be specified');
    const [type, listener, options] = given;
    const found = this.#find(String(type), listener, isCapture(options));
    if (found) this.#listeners = this.#listeners.filter((each) => each !== found);
  }

  dispatchEvent(event: Event): boolean {
    if (!(event instanceof Event)) throw new TypeError('The "event" argument must be an instance of Event');
    const state = stateOf(event);
    if (state.dispatching) throw new DOMException("The event is already being dispatched", "InvalidStateError");
    state.target = this;
    state.dispatching = true;
    for (const entry of this.#listeners.filter((each) => each.type === state.type)) {
      if (state.stoppedAtOnce) break;
      if (!this.#listeners.includes(entry)) continue;
      if (entry.once) this.removeEventListener(entry.type, entry.listener, entry.capture);
      state.passive = entry.passive;
      try {
        const { listener } = entry;
        const result: unknown =
          typeof listener === "function" ? listener.call(this, event) : listener.handleEvent(event);
        if (result instanceof Promise) result.catch(reportListenerError);
      } catch (error) {
        reportListenerError(error);
      }
      state.passive = false;
    }
    state.dispatching = false;
    state.stopped = false;
    state.stoppedAtOnce = false;
    return !state.prevented;
  }
}

/** Defines the property `on<type>`, which holds one listener and keeps its position among all listeners. */
export function defineHandler(prototype: EventTarget, type: string, added?: (target: EventTarget) => void): void {
  const handlers = new WeakMap<object, { value: unknown }>();
  Object.defineProperty(prototype, `on${type}`, {
    configurable: true,
    enumerable: true,
    get(this: object) {
      return handlers.get(this)?.value ?? null;
    },
    set(this: EventTarget, value: unknown) {
      const listener = typeof value === "function" || (typeof value === "object" && value !== null) ? value : null;
      const handler = handlers.get(this);
      if (handler) handler.value = listener;
      else {
        const created = { value: listener as unknown };
        handlers.set(this, created);
        this.addEventListener(type, function (this: unknown, event: Event) {
          return typeof created.value === "function"
            ? (created.value as (event: Event) => void).call(this, event)
            : undefined;
        });
      }
      if (listener) added?.(this);
    },
  });
}
