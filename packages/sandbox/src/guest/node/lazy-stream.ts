import type Stream from "node:stream";
import { builtin, hasBuiltin } from "x:host";

const streams = "node:stream";
const states = ["_readableState", "_writableState"] as const;
/** Members that `await` and JSON read of any object. */
const readOfAny: readonly PropertyKey[] = ["then", "toJSON"];

type Kind = "Transform" | "Writable";
type Options = Stream.TransformOptions | Stream.WritableOptions;
interface Lazy {
  streamOptions: Options | undefined;
}
type Initialize = ((this: unknown, options: Options | undefined) => void) & { readonly prototype: object };
type LazyConstructor<Of extends Kind> = new (options?: Options) => InstanceType<(typeof Stream)[Of]> & Lazy;

/**
 * A stream class whose instances become streams at their first use as one. Most hashes and ciphers never do, and
 * `node:stream` and the state of a stream cost more than a digest.
 */
export function lazyStream<Of extends Kind>(kind: Of): LazyConstructor<Of> {
  function LazyStream(this: Lazy, options?: Options): void {
    Object.defineProperty(this, "streamOptions", { value: options, enumerable: false });
  }
  const prototype = LazyStream.prototype as object;
  let type: Initialize | undefined;

  function link(): Initialize {
    if (type) return type;
    type = (builtin(streams) as Record<Kind, Initialize>)[kind];
    Object.setPrototypeOf(prototype, type.prototype);
    Object.setPrototypeOf(LazyStream, type);
    return type;
  }
  const parent = (): object => link().prototype;
  const isOfStreams = (key: PropertyKey): boolean =>
    !(key in Object.prototype) && !readOfAny.includes(key) && (typeof key === "string" || key === Symbol.asyncIterator);

  // Until a member of a stream is read.
  const unlinked: ProxyHandler<object> = {
    get: (target, key, receiver) => Reflect.get(isOfStreams(key) ? parent() : target, key, receiver) as unknown,
    has: (target, key) => Reflect.has(isOfStreams(key) ? parent() : target, key),
    set: (target, key, value, receiver) => Reflect.set(isOfStreams(key) ? parent() : target, key, value, receiver),
    getPrototypeOf: (target) => (hasBuiltin(streams) ? parent() : Object.getPrototypeOf(target)) as object,
  };
  Object.setPrototypeOf(prototype, new Proxy({}, unlinked));

  for (const state of kind === "Transform" ? states : states.slice(1)) {
    Object.defineProperty(prototype, state, {
      configurable: true,
      get(this: Lazy & Record<string, unknown>) {
        const initialize = link();
        for (const each of states)
          Object.defineProperty(this, each, { value: undefined, writable: true, configurable: true, enumerable: true });
        initialize.call(this, this.streamOptions);
        return this[state];
      },
      set(value: unknown) {
        Object.defineProperty(this, state, { value, writable: true, configurable: true, enumerable: true });
      },
    });
  }
  return LazyStream as unknown as LazyConstructor<Of>;
}
