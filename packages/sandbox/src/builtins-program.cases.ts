import { runBody } from "./sandbox.cases.ts";

/** Calls that end the program or wait for another thread. */
const left = ["exit", "reallyExit", "abort", "kill", "wait"];

/**
 * A program that calls every function that it finds from the global object on, with values of all kinds; other values for
 * another seed. Emits how many calls returned.
 */
export const builtinsProgram = (seed: number): string =>
  runBody(`
  let state = ${seed};
  const below = (limit) => { state = (imul(state, 1103515245) + 12345) >>> 0; return (state >>> 8) % limit };
  const { imul } = Math;
  const { apply, construct, getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const emit = this.$emit.bind(this);
  const left = new Set(${JSON.stringify(left)});
  const text = () => "aéb💧c ".repeat(below(12)) + below(99);
  const buffer = () => new ArrayBuffer(8 * below(90));
  const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
    Float64Array, BigInt64Array, BigUint64Array, DataView];
  const values = [
    () => undefined, () => null, () => below(2) === 0, () => below(300), () => -below(40), () => below(3000) / 7, () => NaN,
    () => BigInt(below(1e6)) ** BigInt(below(20)), text, text, () => String(below(300)), () => Symbol(text()),
    () => Array.from({ length: below(70) }, (_, at) => at * below(9)), () => [text(), { a: text() }, [1.5]], () => Array(below(90)),
    () => ({ a: below(9), b: text(), length: below(20), 0: 1, 3: 2 }), () => (value) => value, () => () => below(3) - 1,
    () => (class { #a = 1; static b = 2; get c() { return this.#a } }), () => new Map([[1, text()], [text(), 2]]),
    () => new Set([1, text()]), () => new WeakMap(), () => new WeakSet(), () => new Date(below(1e9) * 1e3), () => new Error(text()),
    () => /(a+)(?<n>é)?|\\p{L}/giu, () => new RegExp("[a-é]{1,9}(b|c)*?", "dgs"), () => Promise.resolve(below(9)),
    () => (function* () { yield 1; yield text() })(), () => (async function* () { yield 1 })(), () => new Proxy([1, 2, 3], {}),
    () => [1, 2, 3][Symbol.iterator](), () => new Map([[1, 2]]).entries(), () => "aé"[Symbol.iterator](), () => "aab".matchAll(/a/g),
    buffer, () => new (views[below(views.length)])(buffer()), () => new (views[below(views.length)])(buffer()),
    () => new URL("http://a/" + below(99) + "?b=c#d"), () => new Headers({ a: "b" }), () => new Blob([text()]),
    () => Buffer.from(text()), () => new TextEncoder(), () => new TextDecoder(), () => new AbortController(), () => new WeakRef({}),
    () => JSON.stringify({ a: [below(9), text()] }), () => Object(text()), () => Object(1n),
  ];
  const value = () => values[below(values.length)]();
  const functions = new Set();
  // Some of its functions repeat as often as an argument says.
  const known = new Set([Buffer.prototype]);
  const walk = (object) => {
    if ((typeof object !== "object" && typeof object !== "function") || object === null || known.has(object)) return;
    known.add(object);
    if (typeof object === "function" && !left.has(object.name)) functions.add(object);
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key) ?? {};
      for (const each of [value, get, set]) walk(each);
    }
    walk(getPrototypeOf(object));
  };
  walk(globalThis);
  for (const make of values) walk(make());
  const keep = [];
  const note = (result) => {
    if (keep.length < 400) keep[keep.length] = result;
  };
  // Calls may take away what others need, so nothing else is needed from here on.
  const calls = [...functions];
  let returned = 0;
  for (let at = 0; at < calls.length; at += 1) {
    for (let round = 0; round < 6; round += 1) {
      try {
        const args = [];
        for (let left = below(4); left > 0; left -= 1) args[args.length] = value();
        note(round % 3 === 2 ? construct(calls[at], args) : apply(calls[at], value(), args));
        returned += 1;
      } catch {}
    }
  }
  emit(returned);
`);
