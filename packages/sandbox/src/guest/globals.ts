import { AbortController, AbortSignal } from "./abort.ts";
import { Blob } from "./blob.ts";
import { structuredClone } from "./clone.ts";
import { createConsole } from "./console.ts";
import { crypto } from "./crypto.ts";
import { CustomEvent, DOMException, Event, EventTarget, reportListenerErrors } from "./events.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { monotonicMs } from "./host.ts";
import { kit } from "./kit.ts";
import { installLanguage } from "./language.ts";
import type { TransformStreamClass } from "./parts/compression.ts";
import { connectParts, defineLazy, definePart, part } from "./parts.ts";
import { createProcess } from "./process.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { TextDecoder } from "./text-decoder.ts";
import { atob, btoa, TextEncoder } from "./text.ts";
import { timerGlobals } from "./timers.ts";
import { URL, URLSearchParams } from "./url.ts";

/** `navigator`: one thread, and no information about the host. */
const createNavigator = (): object => ({
  hardwareConcurrency: 1,
  language: "en-US",
  languages: Object.freeze(["en-US"]),
  platform: "linux",
  userAgent: "Node.js/24",
});

/** `performance.now()` counts from its first use in a call, not from the creation of the image. */
let startMs: number | undefined;

function elapsedMs(): number {
  const now = monotonicMs();
  startMs ??= now;
  return now - startMs;
}

const entryMethods =
  "clearMarks,clearMeasures,clearResourceTimings,getEntries,getEntriesByName,getEntriesByType,mark,measure,setResourceTimingBufferSize,timerify";

/** `performance`: the clock, and marks and measures in a part. */
function createPerformance(): object {
  const timeOrigin = (): number => Date.now() - elapsedMs();
  const performance = {
    now: elapsedMs,
    toJSON: () => ({ timeOrigin: timeOrigin() }),
    get timeOrigin() {
      return timeOrigin();
    },
  };
  definePart(performance, entryMethods, "rare", (given, name) => given.performance[name]);
  return Object.defineProperty(performance, Symbol.toStringTag, { value: "Performance", configurable: true });
}

/** Defines the globals of parts; reading one evaluates its part. */
function defineParts(target: object): void {
  definePart(target, "Buffer", "buffer", ({ Buffer }) => Buffer);
  definePart(target, "File,FormData", "forms", ({ classes }, name) => classes[name]);
  definePart(target, "Intl", "intl", ({ Intl }) => Intl);
  definePart(target, "URLPattern", "url-pattern", ({ URLPattern }) => URLPattern);
  definePart(target, "Atomics", "rare", ({ Atomics }) => Atomics);
  definePart(
    target,
    "CloseEvent,MessageChannel,MessageEvent,MessagePort,PerformanceEntry,PerformanceMark,PerformanceMeasure,WebSocket",
    "rare",
    ({ classes }, name) => classes[name],
  );
  definePart(
    target,
    "ByteLengthQueuingStrategy,CountQueuingStrategy,ReadableByteStreamController,ReadableStream,ReadableStreamBYOBReader,ReadableStreamBYOBRequest,ReadableStreamDefaultController,ReadableStreamDefaultReader,TextDecoderStream,TextEncoderStream,TransformStream,TransformStreamDefaultController,WritableStream,WritableStreamDefaultController,WritableStreamDefaultWriter",
    "streams",
    ({ classes }, name) => classes[name],
  );
  definePart(target, "CryptoKey,SubtleCrypto", "subtle", (given, name) => given[name as "CryptoKey"]);
  definePart(target, "CompressionStream,DecompressionStream", "compression", (classesOf, name) => {
    return classesOf(part("streams").classes["TransformStream"] as TransformStreamClass)[name];
  });
  definePart(
    target,
    "AsyncDisposableStack,DisposableStack,SuppressedError",
    "proposals",
    (given, name) => given[name as "SuppressedError"],
  );
  defineLazy(target, "navigator", createNavigator);
}

/** Defines the Web platform's globals. `reportError` receives exceptions that reach no caller. */
export function installGlobals(reportError: (error: unknown) => void): void {
  const target = globalThis as unknown as Record<string, unknown>;
  const globals: Record<string, unknown> = {
    ...timerGlobals,
    AbortController,
    AbortSignal,
    Blob,
    CustomEvent,
    DOMException,
    Event,
    EventTarget,
    Headers,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    console: createConsole(),
    crypto,
    fetch,
    performance: createPerformance(),
    queueMicrotask: (job: () => void) => {
      if (typeof job !== "function") throw new TypeError("queueMicrotask takes a function");
      void Promise.resolve().then(job).catch(reportError);
    },
    structuredClone: (...given: unknown[]) => {
      if (given.length === 0) throw new TypeError("structuredClone takes a value");
      return structuredClone(given[0], given[1] as { transfer?: Iterable<unknown> });
    },
    process: createProcess(reportError),
    global: globalThis,
  };
  connectParts(kit);
  reportListenerErrors(reportError);
  for (const [name, value] of Object.entries(globals)) {
    // The build shortens the names of functions.
    if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  }
  defineParts(target);
  installLanguage();
}
