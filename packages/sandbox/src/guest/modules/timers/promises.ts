import { abortError } from "../../node/node-error.ts";

interface Options {
  readonly signal?: AbortSignal;
}

function wait<Value>(ms: number | undefined, value: Value, { signal }: Options = {}): Promise<Value> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      if (signal) reject(abortError(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function* every<Value>(ms?: number, value?: Value, options?: Options): AsyncGenerator<Value | undefined> {
  for (;;) yield await wait(ms, value, options);
}

export default {
  setTimeout: wait,
  setImmediate: <Value>(value: Value, options?: Options) => wait(undefined, value, options),
  setInterval: every,
  scheduler: {
    wait: (ms: number, options?: Options) => wait(ms, undefined, options),
    yield: () => wait(undefined, undefined),
  },
};
