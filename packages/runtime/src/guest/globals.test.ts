import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../sandbox/contract.ts";
import { openSandbox } from "../sandbox/sandbox.cases.ts";
import { compare, type Difference } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("structuredClone does what it does in Node", async () => {
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
    `const copy = structuredClone({ __proto__: null, ["__proto__"]: 1 }); return Object.keys(copy)`,
  ];
  const { guest, node, stale } = await compare(sandbox, snippets, [
    {
      snippet: `const bytes = new Uint8Array([1, 2]); structuredClone(bytes, { transfer: [bytes.buffer] }); return bytes.byteLength`,
      guest: 2,
      reason: "nothing else holds a run's buffers, so transferring copies",
    },
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

/** Names that Node has and the sandbox means not to have, or not yet. */
const absent: readonly (readonly [string, string])[] = [
  ["process", "the environment and the process are the host's"],
  ["require", "modules are bundled at deploy"],
  ["WebAssembly", "no second engine inside the sandbox"],
  ["Intl", "the engine has no locale data"],
  ["ReadableStream", "bodies are bytes"],
  ["FormData", "not in this release"],
  ["WebSocket", "a run has no connections of its own"],
  ["BroadcastChannel", "a run has no neighbours"],
  ["MessageChannel", "a run has no neighbours"],
  ["navigator", "not in this release"],
  ["localStorage", "state belongs to this.db"],
  ["EventSource", "a run has no connections of its own"],
];

test("the global names of the Web platform are there, and their kinds are Node's", async () => {
  const names = [
    "AbortController",
    "AbortSignal",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "Blob",
    "Boolean",
    "Buffer",
    "DOMException",
    "DataView",
    "Date",
    "Error",
    "Event",
    "EventTarget",
    "Function",
    "Headers",
    "Infinity",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "Reflect",
    "RegExp",
    "Request",
    "Response",
    "Set",
    "String",
    "Symbol",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "URLSearchParams",
    "WeakMap",
    "WeakRef",
    "WeakSet",
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
    "parseFloat",
    "performance",
    "queueMicrotask",
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
        "Headers",
        "Request",
        "Response",
        "TextDecoder",
        "URL",
        "URLSearchParams",
        "setTimeout",
        "fetch",
        "structuredClone",
        "atob",
      ].map((name) => `${name}.name`),
      `const target = {}; Error.captureStackTrace(target); return typeof target.stack`,
      `const { enumerable } = Object.getOwnPropertyDescriptor(globalThis, "URL"); return enumerable`,
      `typeof performance.timeOrigin`,
      `performance.now() >= 0`,
    ],
    differences,
  );
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});
