import { Blob } from "./blob.ts";
import { DOMException } from "./events.ts";

const errorTypes: Record<string, ErrorConstructor> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function refuse(value: unknown): never {
  throw new DOMException(
    `${typeof value === "function" ? value.name || "A function" : String(value)} could not be cloned.`,
    "DataCloneError",
  );
}

/** Buffers to transfer: the originals are detached. */
function readTransfer(options: { transfer?: Iterable<unknown> } | null | undefined): ArrayBuffer[] {
  const given = [...(options?.transfer ?? [])];
  for (const item of given) {
    const isBuffer = item instanceof ArrayBuffer && !(item as ArrayBuffer & { detached: boolean }).detached;
    if (!isBuffer || given.filter((each) => each === item).length > 1)
      throw new DOMException("Value not transferable", "DataCloneError");
  }
  return given as ArrayBuffer[];
}

/** The structured clone algorithm over the types that exist in the sandbox. */
export function structuredClone(value: unknown, options?: { transfer?: Iterable<unknown> } | null): unknown {
  const moved = readTransfer(options);
  const copy = clone(value, new Map());
  for (const buffer of moved) (buffer as ArrayBuffer & { transfer(): void }).transfer();
  return copy;
}

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "function" || typeof value === "symbol") refuse(value);
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const copy = emptyCopy(value, seen);
  seen.set(value, copy);
  const inner = (item: unknown): unknown => clone(item, seen);
  if (value instanceof Map)
    for (const [key, item] of value) (copy as Map<unknown, unknown>).set(inner(key), inner(item));
  else if (value instanceof Set) for (const item of value) (copy as Set<unknown>).add(inner(item));
  else if (value instanceof Error) {
    for (const key of ["stack", "message", "cause"] as const) {
      if (Object.hasOwn(value, key))
        Object.defineProperty(copy, key, { value: inner(value[key]), configurable: true, writable: true });
    }
  } else if (Array.isArray(value) || isPlain(value)) {
    for (const key of Object.keys(value)) setOwn(copy, key, inner((value as Record<string, unknown>)[key]));
  }
  return copy;
}

const boxed = ["[object Boolean]", "[object Number]", "[object String]"];
const isBoxed = (value: object): boolean => boxed.includes(Object.prototype.toString.call(value));

const isPlain = (value: object): boolean =>
  !(value instanceof Date || value instanceof RegExp || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) &&
  !isBoxed(value);

/** Defines keys like "__proto__" too; an assignment would not. */
const setOwn = (target: object, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
};

function emptyCopy(value: object, seen: Map<object, unknown>): object {
  // oxlint-disable-next-line unicorn/no-new-array -- holes stay holes
  if (Array.isArray(value)) return new Array<unknown>(value.length);
  if (value instanceof Blob) return value;
  if (value instanceof DOMException) return new DOMException(value.message, value.name);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) {
    // Views of the same buffer share its copy.
    const buffer = clone(value.buffer, seen) as ArrayBuffer;
    const View = value.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => object;
    return new View(
      buffer,
      value.byteOffset,
      value instanceof DataView ? value.byteLength : (value as Uint8Array).length,
    );
  }
  if (value instanceof Error) return Object.create((errorTypes[value.name] ?? Error).prototype) as object;
  if (isBoxed(value)) return Object(value.valueOf()) as object;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef)
    refuse(value);
  return {};
}
