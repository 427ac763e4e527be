import { DOMException } from "./events.ts";
import type { KeyContent } from "./parts/crypto-key.ts";
import { randomBytes } from "./host.ts";
import { hasPart, part } from "./parts.ts";

const quota = 65_536;

export const crypto = {
  get [Symbol.toStringTag](): string {
    return "Crypto";
  },
  get subtle(): object {
    return part("subtle").subtle;
  },
  getRandomValues<T>(target: T): T {
    if (
      !ArrayBuffer.isView(target) ||
      target instanceof Float32Array ||
      target instanceof Float64Array ||
      target instanceof DataView
    ) {
      throw new DOMException("getRandomValues takes an integer typed array", "TypeMismatchError");
    }
    if (target.byteLength > quota)
      throw new DOMException(`getRandomValues fills at most ${quota} bytes`, "QuotaExceededError");
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(randomBytes(target.byteLength));
    return target;
  },
  randomUUID(): string {
    const bytes = randomBytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
};

/** The content of a CryptoKey; undefined when the value is not one. */
export const cryptoKeyContent = (value: unknown): KeyContent | undefined =>
  hasPart("subtle") ? part("subtle").contentOf(value) : undefined;

/**
 * A PRNG seeded per call by the host: clones of an image would repeat the numbers of the engine's own generator.
 * Mulberry-style 32-bit mixing over two words; not for secrets.
 */
export function seededRandom(seedHigh: number, seedLow: number): () => number {
  let high = seedHigh >>> 0;
  let low = seedLow >>> 0;
  const next = (state: number): number => {
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return () => {
    high = (high + 0x6d2b79f5) >>> 0;
    low = (low + 0x9e3779b9) >>> 0;
    return ((next(high) >>> 5) * 67_108_864 + (next(low) >>> 6)) / 9_007_199_254_740_992;
  };
}
