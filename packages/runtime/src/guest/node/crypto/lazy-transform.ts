import { Transform, type TransformOptions } from "node:stream";

const states = ["_readableState", "_writableState"] as const;

/**
 * A Transform that becomes one when it is used as one: most hashes and ciphers never are, and making the two halves of a
 * stream costs more than the digest.
 */
export interface LazyTransform extends Transform {
  streamOptions: TransformOptions | undefined;
}

interface LazyTransformConstructor {
  new (options?: TransformOptions): LazyTransform;
  readonly prototype: LazyTransform;
}

function Lazy(this: LazyTransform, options?: TransformOptions): void {
  Object.defineProperty(this, "streamOptions", { value: options, enumerable: false });
}
Object.setPrototypeOf(Lazy.prototype as object, Transform.prototype);
Object.setPrototypeOf(Lazy, Transform);

for (const state of states) {
  Object.defineProperty(Lazy.prototype, state, {
    configurable: true,
    get(this: LazyTransform & Record<string, unknown>) {
      for (const each of states)
        Object.defineProperty(this, each, { value: undefined, writable: true, configurable: true, enumerable: true });
      (Transform as unknown as (this: Transform, options: TransformOptions | undefined) => void).call(
        this,
        this.streamOptions,
      );
      return this[state];
    },
    set(value: unknown) {
      Object.defineProperty(this, state, { value, writable: true, configurable: true, enumerable: true });
    },
  });
}

export const LazyTransform: LazyTransformConstructor = Lazy as unknown as LazyTransformConstructor;
