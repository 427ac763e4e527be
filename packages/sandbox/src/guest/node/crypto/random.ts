import { randomBytes as hostRandom } from "x:host";

import { checkFunction, checkInteger, outOfRange, wrongType } from "../node-error.ts";
import { viewOf } from "./bytes.ts";

type Callback<Value> = (error: Error | null, value?: Value) => void;

/** Bytes of one call of the host. */
const chunk = 65_536;
const maxBytes = 2 ** 31 - 1;

function fill(target: Uint8Array): void {
  for (let at = 0; at < target.length; at += chunk) target.set(hostRandom(Math.min(chunk, target.length - at)), at);
}

/** Runs `run` now; passes the outcome to the callback in a later turn. Without a callback returns or throws it. */
export function answer<Value>(callback: Callback<Value> | undefined, run: () => Value): Value | undefined {
  if (callback === undefined) return run();
  let value: Value | undefined;
  let failure: Error | null = null;
  try {
    value = run();
  } catch (error) {
    failure = error as Error;
  }
  setTimeout(() => (failure ? callback(failure) : callback(null, value)));
  return undefined;
}

export function randomBytes(size: unknown, callback?: Callback<Buffer>): Buffer | undefined {
  if (typeof size !== "number") throw wrongType("size", "of type number", size);
  if (!(size >= 0 && size <= maxBytes)) throw outOfRange("size", `>= 0 && <= ${maxBytes}`, size);
  if (callback !== undefined) checkFunction("callback", callback);
  // As in Node, a failed allocation throws even with a callback.
  const bytes = Buffer.alloc(Math.floor(size));
  return answer(callback, () => {
    fill(bytes);
    return bytes;
  });
}

function partOf(buffer: unknown, offset: unknown, size: unknown): Uint8Array {
  const view = viewOf(buffer);
  if (!view) throw wrongType("buf", "an instance of ArrayBuffer or ArrayBufferView", buffer);
  const width = ArrayBuffer.isView(buffer) ? ((buffer as Uint8Array).BYTES_PER_ELEMENT ?? 1) : 1;
  const from = offset === undefined ? 0 : Number(offset) * width;
  if (offset !== undefined && typeof offset !== "number") throw wrongType("offset", "of type number", offset);
  if (!(from >= 0 && from <= view.length)) throw outOfRange("offset", `>= 0 && <= ${view.length}`, offset);
  const length = size === undefined ? view.length - from : Number(size) * width;
  if (size !== undefined && typeof size !== "number") throw wrongType("size", "of type number", size);
  if (!(length >= 0)) throw outOfRange("size", `>= 0 && <= ${maxBytes}`, size);
  if (from + length > view.length) throw outOfRange("size + offset", `<= ${view.length}`, from + length);
  return view.subarray(from, from + length);
}

export function randomFillSync<Target>(buffer: Target, offset?: unknown, size?: unknown): Target {
  fill(partOf(buffer, offset, size));
  return buffer;
}

export function randomFill(buffer: unknown, ...rest: unknown[]): void {
  const callback = rest.pop();
  checkFunction("callback", callback);
  const part = partOf(buffer, rest[0], rest[1]);
  answer(callback as Callback<unknown>, () => {
    fill(part);
    return buffer;
  });
}

const range = 2 ** 48;

/** A uniformly distributed integer from `low` to `high`, excluding `high`. */
export function randomInt(...given: unknown[]): number | undefined {
  const callback =
    typeof given.at(-1) === "function" ? (given.pop() as (error: undefined, value: number) => void) : undefined;
  const [low, high] = given.length > 1 ? given : [0, given[0]];
  if (!Number.isSafeInteger(low)) throw wrongType("min", "a safe integer", low);
  if (!Number.isSafeInteger(high)) throw wrongType("max", "a safe integer", high);
  const [from, to] = [Number(low), Number(high)];
  if (to <= from) throw outOfRange("max", `greater than the value of "min" (${from})`, to);
  const width = to - from;
  if (width > range - 1) throw outOfRange(given.length > 1 ? "max - min" : "max", `<= ${range - 1}`, width);
  const fair = range - (range % width);
  const draw = (): number => {
    for (;;) {
      const drawn = hostRandom(6).reduce((sum, byte) => sum * 256 + byte, 0);
      if (drawn < fair) return from + (drawn % width);
    }
  };
  if (!callback) return draw();
  setTimeout(() => callback(undefined, draw()));
  return undefined;
}

export function randomUUID(): string {
  return crypto.randomUUID();
}

export function checkLength(name: string, value: unknown): asserts value is number {
  checkInteger(name, value, 0, maxBytes);
}
