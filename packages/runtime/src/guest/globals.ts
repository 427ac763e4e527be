import { Buffer } from "buffer/";

import { Blob, Request, Response } from "./body.ts";
import { structuredClone } from "./clone.ts";
import { createConsole } from "./console.ts";
import { crypto } from "./crypto.ts";
import { AbortController, AbortSignal, DOMException, Event, EventTarget } from "./events.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { monotonicMs } from "./host.ts";
import { TextDecoder } from "./text-decoder.ts";
import { atob, btoa, TextEncoder } from "./text.ts";
import { timerGlobals } from "./timers.ts";
import { URL, URLSearchParams } from "./url.ts";

/** `performance.now()` counts from its first use in a call, not from when the image was made. */
let startMs: number | undefined;

function elapsedMs(): number {
  const now = monotonicMs();
  startMs ??= now;
  return now - startMs;
}

/** Puts the Web platform that components rely on onto the sandbox's global object. */
export function installGlobals(reportError: (error: unknown) => void): void {
  const target = globalThis as unknown as Record<string, unknown>;
  const globals: Record<string, unknown> = {
    ...timerGlobals,
    AbortController,
    AbortSignal,
    Blob,
    Buffer,

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
    performance: {
      now: elapsedMs,
      get timeOrigin() {
        return Date.now() - elapsedMs();
      },
    },
    queueMicrotask: (job: () => void) => {
      if (typeof job !== "function") throw new TypeError("queueMicrotask takes a function");
      void Promise.resolve().then(job).catch(reportError);
    },
    structuredClone: (...given: unknown[]) => {
      if (given.length === 0) throw new TypeError("structuredClone takes a value");
      return structuredClone(given[0]);
    },
    global: globalThis,
    self: globalThis,
  };
  for (const [name, value] of Object.entries(globals)) {
    // The build shortens names; what authors see keeps its own.
    if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  }
  const errorType = Error as unknown as { captureStackTrace?: unknown; stackTraceLimit?: number };
  errorType.captureStackTrace ??= (subject: object) => {
    Object.defineProperty(subject, "stack", { value: new Error().stack, writable: true, configurable: true });
  };
}
