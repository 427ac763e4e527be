type Check = (value: unknown) => boolean;

/** Whether reading the accessor `name` of a prototype works, as it does only for objects with the same internal slots. */
function hasBrand(prototype: object, name: string | symbol): Check {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (value) => {
    try {
      read?.call(value);
      return read !== undefined && typeof value === "object" && value !== null;
    } catch {
      return false;
    }
  };
}

/** Whether calling a method with these arguments works. The method must have no effects. */
function takes(method: (...args: never[]) => unknown, ...args: unknown[]): Check {
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    try {
      method.apply(value, args as never[]);
      return true;
    } catch {
      return false;
    }
  };
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const tagged =
  (...tags: string[]): Check =>
  (value) =>
    typeof value === "object" && value !== null && tags.includes(tagOf(value));
const functionTagged =
  (...tags: string[]): Check =>
  (value) =>
    typeof value === "function" && tags.includes(tagOf(value));

const typedArrayName = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)?.get;
const typedArray =
  (name?: string): Check =>
  (value) => {
    const found: unknown = typedArrayName?.call(value);
    return name === undefined ? found !== undefined : found === name;
  };
const typedArrays = (
  "Uint8Array Uint8ClampedArray Uint16Array Uint32Array Int8Array Int16Array Int32Array Float16Array " +
  "Float32Array Float64Array BigInt64Array BigUint64Array"
).split(" ");

const isArrayBuffer = hasBrand(ArrayBuffer.prototype, "byteLength");
const isSharedArrayBuffer: Check =
  typeof SharedArrayBuffer === "function" ? hasBrand(SharedArrayBuffer.prototype, "byteLength") : () => false;
const boxed = {
  isNumberObject: takes(Number.prototype.valueOf),
  isStringObject: takes(String.prototype.valueOf),
  isBooleanObject: takes(Boolean.prototype.valueOf),
  isBigIntObject: takes(BigInt.prototype.valueOf),
  isSymbolObject: takes(Symbol.prototype.valueOf),
};

export default {
  ...Object.fromEntries(typedArrays.map((name) => [`is${name}`, typedArray(name)])),
  ...boxed,
  isBoxedPrimitive: (value: unknown) => Object.values(boxed).some((check) => check(value)),
  isTypedArray: typedArray(),
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isArrayBuffer,
  isSharedArrayBuffer,
  isAnyArrayBuffer: (value: unknown) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isDataView: (value: unknown) => ArrayBuffer.isView(value) && !typedArray()(value),
  isDate: takes(Date.prototype.getTime),
  isRegExp: hasBrand(RegExp.prototype, "hasIndices"),
  isMap: hasBrand(Map.prototype, "size"),
  isSet: hasBrand(Set.prototype, "size"),
  isWeakMap: takes(WeakMap.prototype.has, {}),
  isWeakSet: takes(WeakSet.prototype.has, {}),
  isMapIterator: tagged("Map Iterator"),
  isSetIterator: tagged("Set Iterator"),
  isPromise: (value: unknown) => value instanceof Promise,
  isNativeError: (value: unknown) => tagOf(value) === "Error" && value instanceof Error,
  isAsyncFunction: functionTagged("AsyncFunction", "AsyncGeneratorFunction"),
  isGeneratorFunction: functionTagged("GeneratorFunction", "AsyncGeneratorFunction"),
  isGeneratorObject: tagged("Generator", "AsyncGenerator"),
  isArgumentsObject: tagged("Arguments"),
  isModuleNamespaceObject: tagged("Module"),
  isExternal: () => false,
  isProxy: () => false,
  isCryptoKey: tagged("CryptoKey"),
  isKeyObject: tagged("KeyObject"),
  isEventTarget: (value: unknown) => value instanceof EventTarget,
};
