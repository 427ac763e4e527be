import type { EventEmitter } from "node:events";

import { abortError } from "./node-error.ts";

type Emitter = EventEmitter | EventTarget;
type Listener = (...args: unknown[]) => void;
interface Waiting {
  readonly resolve: (result: IteratorResult<unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}
interface Options {
  readonly signal?: AbortSignal;
  readonly close?: string[];
}

const isTarget = (emitter: Emitter): emitter is EventTarget =>
  typeof (emitter as EventTarget).addEventListener === "function" && typeof (emitter as EventEmitter).on !== "function";

/** Listens until the returned function is called. */
function listen(emitter: Emitter, name: string | symbol, listener: Listener): () => void {
  if (isTarget(emitter)) {
    emitter.addEventListener(String(name), listener);
    return () => emitter.removeEventListener(String(name), listener);
  }
  emitter.on(name, listener);
  return () => emitter.removeListener(name, listener);
}

function listenForAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  signal?.addEventListener("abort", stop, { once: true });
  return () => signal?.removeEventListener("abort", stop);
}

/** `events.once`: the arguments of the next event; an `error` event rejects. */
export function once(emitter: Emitter, name: string | symbol, { signal }: Options = {}): Promise<unknown[]> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = [];
    const end = (): void => ends.forEach((stop) => stop());
    const settle = (act: () => void): void => {
      end();
      act();
    };
    ends.push(listen(emitter, name, (...args) => settle(() => resolve(args))));
    if (name !== "error" && !isTarget(emitter)) {
      ends.push(listen(emitter, "error", (error) => settle(() => reject(error))));
    }
    ends.push(listenForAbort(signal, () => settle(() => reject(signal && abortError(signal)))));
  });
}

/** `events.on`: every future event. Ends by `return`, an event of `close`, an `error` event or the signal. */
export function on(
  emitter: Emitter,
  name: string | symbol,
  { signal, close = [] }: Options = {},
): AsyncIterableIterator<unknown[]> {
  if (signal?.aborted) throw abortError(signal);
  const received: unknown[][] = [];
  const waiting: Waiting[] = [];
  const ends: (() => void)[] = [];
  let failed: { readonly error: unknown } | undefined;
  let done = false;
  const finish = (): Promise<IteratorResult<unknown[]>> => {
    done = true;
    ends.splice(0).forEach((stop) => stop());
    waiting.splice(0).forEach(({ resolve }) => resolve({ value: undefined, done: true }));
    return Promise.resolve({ value: undefined, done: true });
  };
  const fail = (error: unknown): void => {
    const [next] = waiting.splice(0, 1);
    if (next) next.reject(error);
    else failed = { error };
    void finish();
  };
  ends.push(
    listen(emitter, name, (...args) => {
      const [next] = waiting.splice(0, 1);
      if (next) next.resolve({ value: args, done: false });
      else received.push(args);
    }),
    ...close.map((ending) => listen(emitter, ending, () => void finish())),
    listenForAbort(signal, () => fail(signal && abortError(signal))),
  );
  if (name !== "error" && !isTarget(emitter)) ends.push(listen(emitter, "error", fail));
  return {
    next() {
      const [value] = received.splice(0, 1);
      if (value) return Promise.resolve({ value, done: false });
      if (failed) {
        const { error } = failed;
        failed = undefined;
        // Not Promise.reject: an emitter can fail with any value.
        return new Promise((_resolve, reject) => reject(error));
      }
      if (done) return finish();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: finish,
    throw(error: unknown) {
      fail(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
