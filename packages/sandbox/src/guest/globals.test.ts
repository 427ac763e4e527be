import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";
import { compare, type Difference } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("structuredClone behaves as in Node", async () => {
  const snippets = [
    `structuredClone({ a: [1, { b: null }], u: undefined, n: NaN, z: -0, big: 5n, text: "é" })`,
    `const value = { a: 1 }; value.self = value; const copy = structuredClone(value); return [copy.self === copy, copy !== value]`,
    `const shared = {}; const copy = structuredClone([shared, shared]); return copy[0] === copy[1]`,
    `structuredClone([new Date(5), /a/gi, new Map([[{ a: 1 }, new Set([1])]]), new Set(["x"])])`,
    `structuredClone(new Date(NaN))`,
    `const re = /a/g; re.lastIndex = 3; return structuredClone(re).lastIndex`,
    `const copy = structuredClone(new RangeError("m", { cause: 7 })); return [copy.name, copy.message, copy.cause, copy instanceof RangeError, typeof copy.stack]`,
    `class Mine extends Error { name = "Mine" } const copy = structuredClone(new Mine("m")); return [copy.name, copy.message, copy instanceof Error, copy instanceof Mine]`,
    `class Mine { a = 1; #b = 2; get c() { return 3 } } const copy = structuredClone(new Mine()); return [copy, copy instanceof Mine]`,
    `structuredClone(new Uint8Array([1, 2]))`,
    `const view = new Uint16Array(new Uint8Array([1, 0, 2, 0, 3, 0]).buffer, 2, 1); const copy = structuredClone(view); return [copy, copy.buffer.byteLength, copy.byteOffset]`,
    `const bytes = new Uint8Array([1]); const copy = structuredClone({ a: bytes, b: bytes.buffer }); return copy.a.buffer === copy.b`,
    `structuredClone(new Uint8Array([1, 2]).buffer)`,
    `[structuredClone(Object(1)), structuredClone(Object("s")), structuredClone(Object(true))]`,
    `structuredClone([1, , 3]).hasOwnProperty(1)`,
    `const list = [1]; list.extra = 2; return structuredClone(list).extra`,
    `structuredClone(() => 1)`,
    `structuredClone({ a: { b() {} } })`,
    `structuredClone(Symbol("s"))`,
    `structuredClone(new WeakMap())`,
    `structuredClone(Promise.resolve())`,
    `try { structuredClone(() => 1) } catch (error) { return [error.name, error.code, error instanceof DOMException] }`,
    `structuredClone(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } }))`,
    `structuredClone({ get a() { return 5 } })`,
    `structuredClone({ [Symbol("s")]: 1, a: 2 })`,
    `structuredClone(undefined)`,
    `structuredClone()`,
    `structuredClone(Object.create(null))`,
    `const bytes = new Uint8Array([1, 2]); const copy = structuredClone(bytes, { transfer: [bytes.buffer] }); return [bytes.byteLength, copy]`,
    `const { buffer } = new Uint8Array([1]); structuredClone(1, { transfer: [buffer, buffer] })`,
    `structuredClone(1, { transfer: [{}] })`,
    `structuredClone(1, null)`,
    `const copy = structuredClone(new DOMException("m", "AbortError")); return [copy.name, copy.message, copy.code, copy instanceof DOMException]`,
    `const copy = structuredClone(new Blob(["x"], { type: "a/b" })); return [copy.type, await copy.text()]`,
    `structuredClone(new WeakRef({}))`,
    `const copy = structuredClone({ __proto__: null, ["__proto__"]: 1 }); return Object.keys(copy)`,
  ];
  const { guest, node, stale } = await compare(sandbox, snippets, [
    {
      snippet: `const list = (function () { return arguments })(1, 2); return structuredClone(list)`,
      guest: { 0: 1, 1: 2 },
      reason: "an arguments object is copied as a plain object",
    },
  ]);
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});

test("crypto gives random values in Node's forms", async () => {
  const { guest, node } = await compare(sandbox, [
    `/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())`,
    `crypto.randomUUID() !== crypto.randomUUID()`,
    `const bytes = new Uint8Array(64); return [crypto.getRandomValues(bytes) === bytes, bytes.some((byte) => byte !== 0)]`,
    `[Int8Array, Uint8ClampedArray, Uint16Array, Int32Array, BigInt64Array, BigUint64Array].map((Type) => crypto.getRandomValues(new Type(8)).length)`,
    `const bytes = new Uint8Array(8); crypto.getRandomValues(bytes.subarray(2, 4)); return [bytes[0], bytes[1], bytes[4], bytes[7]]`,
    `crypto.getRandomValues(new Uint8Array(65536)).length`,
    `crypto.getRandomValues(new Uint8Array(65537))`,
    `crypto.getRandomValues(new Float64Array(1))`,
    `crypto.getRandomValues(new DataView(new ArrayBuffer(1)))`,
    `crypto.getRandomValues([1])`,
    `crypto.getRandomValues(new Uint8Array(0)).length`,
    `try { crypto.getRandomValues(new Uint8Array(65537)) } catch (error) { return [error.name, error.code, error instanceof DOMException] }`,
    `const value = Math.random(); return value >= 0 && value < 1`,
    `new Set(Array.from({ length: 1000 }, () => Math.random())).size`,
  ]);
  expect(guest).toEqual(node);
});

/** Names of Node that the sandbox lacks on purpose, or still lacks. */
const absent: readonly (readonly [string, string])[] = [
  ["require", "modules are bundled at deploy"],
  ["WebAssembly", "no second engine inside the sandbox"],
  ["BroadcastChannel", "a run has no neighbours"],
  ["localStorage", "state belongs to this.db"],
  ["EventSource", "a run has no connections of its own"],
];

test("the globals of the Web platform exist, with the types of Node's", async () => {
  const names = [
    "AbortController",
    "AbortSignal",
    "Array",
    "ArrayBuffer",
    "AsyncDisposableStack",
    "Atomics",
    "BigInt",
    "Blob",
    "Boolean",
    "Buffer",
    "ByteLengthQueuingStrategy",
    "CloseEvent",
    "CountQueuingStrategy",
    "CustomEvent",
    "DOMException",
    "DataView",
    "Date",
    "DisposableStack",
    "Error",
    "Event",
    "EventTarget",
    "File",
    "FinalizationRegistry",
    "FormData",
    "Function",
    "Headers",
    "Infinity",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "MessageChannel",
    "MessageEvent",
    "MessagePort",
    "NaN",
    "Number",
    "Object",
    "PerformanceEntry",
    "PerformanceMark",
    "PerformanceMeasure",
    "Promise",
    "Proxy",
    "ReadableByteStreamController",
    "ReadableStream",
    "ReadableStreamBYOBReader",
    "ReadableStreamBYOBRequest",
    "ReadableStreamDefaultController",
    "ReadableStreamDefaultReader",
    "Reflect",
    "RegExp",
    "Request",
    "Response",
    "Set",
    "SharedArrayBuffer",
    "String",
    "SuppressedError",
    "Symbol",
    "TextDecoder",
    "TextDecoderStream",
    "TextEncoder",
    "TextEncoderStream",
    "TransformStream",
    "TransformStreamDefaultController",
    "URL",
    "URLPattern",
    "URLSearchParams",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "WebSocket",
    "WritableStream",
    "WritableStreamDefaultController",
    "WritableStreamDefaultWriter",
    "atob",
    "btoa",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "decodeURIComponent",
    "encodeURI",
    "eval",
    "fetch",
    "global",
    "globalThis",
    "isNaN",
    "navigator",
    "parseFloat",
    "performance",
    "queueMicrotask",
    "self",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "undefined",
  ];
  const differences: Difference[] = absent
    .filter(([name]) => Object.hasOwn(globalThis, name))
    .map(([name, reason]) => ({ snippet: `typeof globalThis["${name}"]`, guest: "undefined", reason }));
  const { guest, node, stale } = await compare(
    sandbox,
    [
      ...names.map((name) => `typeof globalThis["${name}"]`),
      ...[
        "AbortController",
        "Blob",
        "DOMException",
        "File",
        "FormData",
        "Headers",
        "ReadableStream",
        "Request",
        "Response",
        "TextDecoder",
        "TextDecoderStream",
        "URL",
        "URLPattern",
        "URLSearchParams",
        "setTimeout",
        "fetch",
        "structuredClone",
        "atob",
      ].map((name) => `${name}.name`),
      `const target = {}; Error.captureStackTrace(target); return typeof target.stack`,
      `const { enumerable } = Object.getOwnPropertyDescriptor(globalThis, "URL"); return enumerable`,
      `const { enumerable, writable, configurable } = Object.getOwnPropertyDescriptor(globalThis, "ReadableStream"); return [ReadableStream === ReadableStream, enumerable, configurable]`,
      `const own = globalThis.FormData; globalThis.FormData = 1; const seen = FormData; globalThis.FormData = own; return [seen, typeof own]`,
      `typeof performance.timeOrigin`,
      `performance.now() >= 0`,
    ],
    differences,
  );
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});

test("newer parts of the language behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `await Array.fromAsync([1, Promise.resolve(2)], (n) => n * 2)`,
    `await Array.fromAsync((async function* () { yield 1; yield 2; })())`,
    `const order = []; const stack = new DisposableStack(); stack.defer(() => order.push("a")); stack.use({ [Symbol.dispose]: () => order.push("b") }); stack.dispose(); return [order, stack.disposed]`,
    `const order = []; const stack = new AsyncDisposableStack(); stack.defer(async () => { order.push("a") }); await stack.disposeAsync(); return order`,
    `const error = new SuppressedError(1, 2, "m"); return [error.error, error.suppressed, error.message, error.name, error instanceof Error]`,
    `[typeof Symbol.dispose, typeof Symbol.asyncDispose, String(Symbol.dispose)]`,
    `const view = new Int32Array(new SharedArrayBuffer(8)); return [Atomics.add(view, 0, 5), Atomics.load(view, 0), Atomics.compareExchange(view, 0, 5, 7), Atomics.exchange(view, 0, 9), Atomics.sub(view, 0, 1), Atomics.store(view, 1, 3), Atomics.or(view, 1, 4), Atomics.xor(view, 1, 1), Atomics.and(view, 1, 2), [...view], Atomics.notify(view, 0), Atomics.isLockFree(4)]`,
    `Atomics.load(new Int32Array(1), 4)`,
    `Atomics.load([1], 0)`,
    `typeof Error.stackTraceLimit`,
    `let ended = false; const iterator = (function* () { try { yield 1 } finally { ended = true } })(); iterator.next(); iterator[Symbol.dispose](); return ended`,
    `Promise.try(() => 1)`,
    `[RegExp.escape("a.b"), Object.groupBy([1, 2, 3], (n) => n % 2 ? "odd" : "even"), [3, 1].toSorted(), [1, 2].with(0, 5), new Set([1, 2]).union(new Set([3])), [1, 2, 3].values().map((n) => n * 2).toArray(), "a\ud800".toWellFormed(), [1, 2, 3].at(-1), [1, 2].findLast((n) => n < 3)]`,
  ]);
  expect(guest).toEqual(node);
});

test("performance, navigator and MessageChannel behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `performance.mark("a", { startTime: 5, detail: { x: 1 } }).toJSON()`,
    `performance.mark("a", { startTime: 5 }); performance.mark("b", { startTime: 8 }); const { name, entryType, startTime, duration } = performance.measure("m", "a", "b"); return [name, entryType, startTime, duration]`,
    `performance.measure("m", "none")`,
    `performance.clearMarks(); performance.clearMeasures(); return performance.getEntries().filter(({ entryType }) => ["mark", "measure"].includes(entryType)).length`,
    `Object.keys(performance.toJSON()).includes("timeOrigin")`,
    `performance.getEntriesByName("x")`,
    `const { language, languages } = navigator; return [language, languages, typeof navigator.hardwareConcurrency, typeof navigator.userAgent, typeof navigator.platform]`,
    `const { port1, port2 } = new MessageChannel(); const data = await new Promise((resolve) => { port2.onmessage = (event) => resolve(event.data); port1.postMessage({ a: [1, new Date(5)] }) }); port1.close(); return data`,
    `const { port1, port2 } = new MessageChannel(); const seen = []; port1.postMessage(1); port1.postMessage(2); await new Promise((resolve) => { port2.addEventListener("message", ({ data }) => { seen.push(data); if (data === 2) resolve() }); port2.start() }); port1.close(); return seen`,
    `new MessageChannel().port1.postMessage(() => 1)`,
    `new MessagePort()`,
    `const event = new MessageEvent("message", { data: 1 }); return [event.type, event.data, event.origin]`,
    `new URLPattern({ pathname: "/users/:id" }).exec("https://a.test/users/7").pathname.groups.id`,
  ]);
  expect(guest).toEqual(node);
});

test("a WebSocket exists, and fails like one whose server cannot be reached", async () => {
  const { guest, node } = await compare(sandbox, [
    `const socket = new WebSocket("http://127.0.0.1:1/a", ["b", "c"]); const { url, readyState, protocol, extensions, bufferedAmount, binaryType, onopen } = socket; const seen = []; await new Promise((resolve) => { socket.onerror = ({ type }) => seen.push(type, socket.readyState); socket.addEventListener("close", resolve) }).then((event) => seen.push(event.type, event.code, event.reason, event.wasClean, event instanceof CloseEvent)); socket.send("late"); return [url, readyState, protocol, extensions, bufferedAmount, binaryType, onopen, ...seen, String(socket)]`,
    `const { CONNECTING, OPEN, CLOSING, CLOSED } = WebSocket; return [CONNECTING, OPEN, CLOSING, CLOSED, WebSocket.prototype.OPEN, WebSocket.name]`,
    `const socket = new WebSocket("ws://127.0.0.1:1"); socket.onerror = () => {}; const closed = new Promise((resolve) => { socket.onclose = ({ code }) => resolve(code) }); socket.close(); return [socket.readyState, await closed]`,
    `const socket = new WebSocket("ws://127.0.0.1:1"); socket.onerror = () => {}; socket.send("early")`,
    `const socket = new WebSocket("ws://127.0.0.1:1"); socket.onerror = () => {}; socket.close(1)`,
    `const socket = new WebSocket("ws://127.0.0.1:1"); socket.onerror = () => {}; socket.close(3000, "x".repeat(124))`,
    `new WebSocket()`,
    `new WebSocket("nowhere")`,
    `new WebSocket("ftp://a.example")`,
    `new WebSocket("ws://a.example/#b")`,
    `new WebSocket("ws://a.example", ["b", "B"])`,
    `new WebSocket("ws://a.example", "b c")`,
    `const { code, reason, wasClean } = new CloseEvent("close", { code: 1000, reason: "r", wasClean: true }); return [code, reason, wasClean]`,
  ]);
  expect(guest).toEqual(node);
});

/** Members of the language's objects that the sandbox lacks; all of them are rare. */
const missingMembers: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^RegExp\.(?:input|lastMatch|lastParen|leftContext|rightContext|\$.)$/,
    "results of the last match, for old browsers",
  ],
  [/^JSON\.(?:rawJSON|isRawJSON)$/, "needs the engine's own JSON"],
  [/^Atomics\.waitAsync$/, "no other thread ever writes"],
  [/^Error\.prepareStackTrace$/, "is given by who wants it"],
  [/^Intl\.v8BreakIterator$/, "is V8's own"],
  [/^\w+(?:#|\.)(?:arguments|caller)$/, "are of functions that are not strict"],
];

test("the language's own objects have every member of Node's except the listed ones", async () => {
  const objects =
    "AggregateError,Array,ArrayBuffer,Atomics,BigInt,BigInt64Array,BigUint64Array,Boolean,DataView,Date,DisposableStack,Error,FinalizationRegistry,Float32Array,Float64Array,Function,Int16Array,Int32Array,Int8Array,Intl,Iterator,JSON,Map,Math,Number,Object,Promise,Proxy,Reflect,RegExp,Set,SharedArrayBuffer,String,Symbol,Uint16Array,Uint32Array,Uint8Array,Uint8ClampedArray,WeakMap,WeakRef,WeakSet";
  const list = `const list = []; for (const name of ${JSON.stringify(objects.split(","))}) for (const [mark, object] of [[".", globalThis[name]], ["#", globalThis[name]?.prototype]]) if (object) list.push(...Reflect.ownKeys(object).map((key) => name + mark + String(key))); return list`;
  const { guest, node } = await compare(sandbox, [list]);
  const known = new Set(guest[list] as string[]);
  const missing = (node[list] as string[]).filter((member) => !known.has(member));
  expect(known.size).toBeGreaterThan(600);
  expect(missing.filter((member) => !missingMembers.some(([name]) => name.test(member)))).toEqual([]);
});

test("Error.prepareStackTrace receives the frames as objects", async () => {
  const { emits, outcome } = await tryComponent(
    sandbox,
    runBody(`
      Error.prepareStackTrace = (subject, sites) => sites.map((site) => [site.getFileName(), typeof site.getLineNumber(), site.getFunctionName()]);
      const subject = {};
      (function named() { Error.captureStackTrace(subject); })();
      this.$emit(subject.stack.slice(0, 2));`),
  );
  expect(outcome.error).toBeUndefined();
  expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual([
    ["bundle.js", "number", "named"],
    ["bundle.js", "number", "run"],
  ]);
});
