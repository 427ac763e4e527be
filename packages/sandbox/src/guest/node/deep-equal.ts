import types from "node:util/types";

type Pairs = Map<object, object>;

const bytesOf = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Own enumerable keys, symbols included. */
function keysOf(value: object): (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  );
  return [...Object.keys(value), ...symbols];
}

function equalSets(a: Set<unknown>, b: Set<unknown>, seen: Pairs): boolean {
  if (a.size !== b.size) return false;
  const rest = [...b];
  return [...a].every((item) => {
    if (b.has(item) && rest.includes(item)) return rest.splice(rest.indexOf(item), 1).length === 1;
    const at = rest.findIndex((other) => typeof item === "object" && equal(item, other, seen));
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

function equalMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>, seen: Pairs): boolean {
  if (a.size !== b.size) return false;
  const rest = [...b];
  return [...a].every(([key, item]) => {
    const at = rest.findIndex(([other, given]) => equal(key, other, seen) && equal(item, given, seen));
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

/** Compares typed arrays and data views. NaN is equal to itself. */
function equalViews(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (!(a instanceof Float32Array || a instanceof Float64Array)) return equalBytes(bytesOf(a), bytesOf(b));
  const other = b as Float64Array;
  return a.length === other.length && a.every((item, at) => Object.is(item, other[at]));
}

/** Compares the internal content of two objects, such as the entries of a Map. */
function equalContents(a: object, b: object, seen: Pairs): boolean {
  if (types.isDate(a)) return types.isDate(b) && Object.is(a.getTime(), b.getTime());
  if (types.isRegExp(a)) return types.isRegExp(b) && String(a) === String(b) && a.lastIndex === b.lastIndex;
  if (a instanceof Error) return b instanceof Error && a.name === b.name && a.message === b.message;
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && equalViews(a, b);
  if (types.isAnyArrayBuffer(a)) return types.isAnyArrayBuffer(b) && equalBytes(new Uint8Array(a), new Uint8Array(b));
  if (types.isSet(a)) return types.isSet(b) && equalSets(a, b, seen);
  if (types.isMap(a)) return types.isMap(b) && equalMaps(a, b, seen);
  if (types.isBoxedPrimitive(a)) return types.isBoxedPrimitive(b) && Object.is(a.valueOf(), b.valueOf());
  return ![types.isWeakMap, types.isWeakSet, types.isPromise].some((check) => check(a));
}

function equal(a: unknown, b: unknown, seen: Pairs): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && a.length !== (b as unknown[]).length) return false;
  if (seen.has(a)) return seen.get(a) === b;
  seen.set(a, b);
  const keys = keysOf(a);
  const same =
    equalContents(a, b, seen) &&
    keys.length === keysOf(b).length &&
    keys.every((key) => {
      if (!Object.prototype.propertyIsEnumerable.call(b, key)) return false;
      return equal((a as Record<typeof key, unknown>)[key], (b as Record<typeof key, unknown>)[key], seen);
    });
  seen.delete(a);
  return same;
}

/** `util.isDeepStrictEqual`: equal values, prototypes and own enumerable properties. */
export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => equal(a, b, new Map());
