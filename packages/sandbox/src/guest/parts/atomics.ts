type Numbers = Int32Array;
type Change = (old: number, given: number) => number;

/** `Atomics` without shared memory: plain reads and writes are atomic. */
export function createAtomics(): object {
  const check = (view: Numbers, index: number): void => {
    if (
      !ArrayBuffer.isView(view) ||
      view instanceof Float32Array ||
      view instanceof Float64Array ||
      view instanceof DataView
    )
      throw new TypeError("[object Array] is not an integer typed array.");
    if (!(Number(index) >= 0 && Number(index) < view.length)) throw new RangeError("Invalid atomic access index");
  };
  const changing =
    (change: Change) =>
    (view: Numbers, index: number, value: number): number => {
      check(view, index);
      const old = view[index] ?? 0;
      view[index] = change(old, value);
      return old;
    };
  const atomics = {
    add: changing((old, given) => old + given),
    and: changing((old, given) => old & given),
    compareExchange(view: Numbers, index: number, expected: number, value: number): number {
      check(view, index);
      const old = view[index] ?? 0;
      if (old === expected) view[index] = value;
      return old;
    },
    exchange: changing((_old, given) => given),
    isLockFree: (size: number): boolean => [1, 2, 4, 8].includes(size),
    load(view: Numbers, index: number): number {
      check(view, index);
      return view[index] ?? 0;
    },
    notify(view: Numbers, index: number): number {
      check(view, index);
      return 0;
    },
    or: changing((old, given) => old | given),
    pause: (): undefined => undefined,
    store(view: Numbers, index: number, value: number): number {
      check(view, index);
      view[index] = value;
      return value;
    },
    sub: changing((old, given) => old - given),
    wait(): never {
      throw new TypeError("Atomics.wait cannot be called in this context");
    },
    xor: changing((old, given) => old ^ given),
  };
  for (const name of Object.keys(atomics)) Object.defineProperty(atomics, name, { enumerable: false });
  return Object.defineProperty(atomics, Symbol.toStringTag, { value: "Atomics", configurable: true });
}
