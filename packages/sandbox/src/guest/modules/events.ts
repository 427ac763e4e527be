import BaseEmitter from "events/";

import { on, once } from "../node/emitter-waiting.ts";

interface Options {
  readonly captureRejections?: boolean;
}
interface Emitter extends InstanceType<typeof BaseEmitter> {
  [catches]?: boolean;
  [captureRejectionSymbol]?: (error: unknown, name: string | symbol, ...args: unknown[]) => void;
}

const errorMonitor: unique symbol = Symbol("events.errorMonitor");
const captureRejectionSymbol: unique symbol = Symbol.for("nodejs.rejection");
const catches: unique symbol = Symbol("captures rejections");

// The package has the emitter of Node 10, a function that old code calls on its own objects; this module adds newer members.
const plainEmit = BaseEmitter.prototype.emit;

function reject(emitter: Emitter, error: unknown, name: string | symbol, args: unknown[]): void {
  queueMicrotask(() => {
    const own = emitter[captureRejectionSymbol];
    if (typeof own === "function") own.call(emitter, error, name, ...args);
    else emitter.emit("error", error);
  });
}

/** Node's error for an unhandled "error" event whose argument is no Error. */
function unhandled(context: unknown): Error {
  const shown = typeof context === "string" ? `'${context}'` : String(context);
  return Object.assign(new Error(`Unhandled error. (${shown})`), { code: "ERR_UNHANDLED_ERROR", context });
}

function emitCatching(emitter: Emitter, name: string | symbol, args: unknown[]): boolean {
  const listeners = emitter.rawListeners(name);
  for (const listener of listeners) {
    const result = (listener as (...given: unknown[]) => unknown).apply(emitter, args);
    if (result instanceof Promise) result.catch((error: unknown) => reject(emitter, error, name, args));
  }
  return listeners.length > 0;
}

/** Works with `new`, with `class … extends`, and when constructor functions call it on their objects. */
function EventEmitter(this: Emitter, options?: Options): void {
  (BaseEmitter as unknown as (this: Emitter) => void).call(this);
  if (options?.captureRejections) Object.defineProperty(this, catches, { value: true });
}

const prototype = BaseEmitter.prototype as Emitter;
Object.defineProperties(prototype, {
  constructor: { value: EventEmitter, writable: true, configurable: true },
  emit: {
    value: function emit(this: Emitter, name: string | symbol, ...args: unknown[]): boolean {
      if (name === "error" && this.listenerCount(errorMonitor) > 0) plainEmit.call(this, errorMonitor, ...args);
      if (name === "error" && !(args[0] instanceof Error) && this.listenerCount(name) === 0) throw unhandled(args[0]);
      const captures = name !== "error" && (this[catches] ?? emitter.captureRejections);
      return captures ? emitCatching(this, name, args) : plainEmit.call(this, name, ...args);
    },
    writable: true,
    configurable: true,
    enumerable: true,
  },
});
EventEmitter.prototype = prototype;

function getEventListeners(emitter: Partial<Emitter>, name: string | symbol): unknown[] {
  return typeof emitter.listeners === "function" ? emitter.listeners(name) : [];
}

function setMaxListeners(most: number, ...emitters: Partial<Emitter>[]): void {
  if (emitters.length === 0) BaseEmitter.defaultMaxListeners = most;
  for (const each of emitters) each.setMaxListeners?.(most);
}

function addAbortListener(signal: AbortSignal, listener: () => void): { [Symbol.dispose](): void } {
  if (signal.aborted) queueMicrotask(() => listener());
  else signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
}

const emitter = Object.assign(EventEmitter, {
  EventEmitter,
  captureRejections: false,
  captureRejectionSymbol,
  errorMonitor,
  addAbortListener,
  getEventListeners,
  getMaxListeners: (given: Partial<Emitter>) => given.getMaxListeners?.() ?? BaseEmitter.defaultMaxListeners,
  listenerCount: (given: Emitter, name: string | symbol) => given.listenerCount(name),
  on,
  once,
  setMaxListeners,
  usingDomains: false,
});
Object.defineProperty(emitter, "defaultMaxListeners", {
  get: () => BaseEmitter.defaultMaxListeners,
  set: (most: number) => {
    BaseEmitter.defaultMaxListeners = most;
  },
  enumerable: true,
});

export default emitter;
