import { test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode } = tryBuiltins();

const values = [
  "1",
  "'text'",
  "-0",
  "5n",
  "null",
  "undefined",
  "Symbol('s')",
  "[1, , 3]",
  "{ a: 1, 'b-c': [2, { d: { e: { f: 1 } } }] }",
  "new Map([[{ a: 1 }, 'b']])",
  "new Set([1, 'a'])",
  "new Date(0)",
  "/x/gi",
  "Buffer.from('abc')",
  "new Uint8Array([1, 2])",
  "class A {}",
  "class B extends Array {}",
  "function f() {}",
  "async () => {}",
  "new (class Mine { x = 1 })()",
  "Object.create(null)",
  "{ get a() { return 1 }, set a(v) {} }",
  "[['a'.repeat(80), 'b'.repeat(80)]]",
  "Array.from({ length: 120 }, (_, i) => i)",
  "{ [Symbol('k')]: 1 }",
  "new Error('m').message",
  "Object.assign(() => {}, { a: 1 })",
  "[\"it's\", 'a\\nb']",
  "new Proxy({ a: 1 }, {})",
];
const list = `[${values.map((value) => `() => (${value.startsWith("{") ? `(${value})` : value})`).join(", ")}]`;

test("util.inspect and util.format return the text of Node's", async () => {
  await sameAsNode(
    [
      `const { inspect } = require("util"); return ${list}.map((make) => inspect(make()))`,
      `const { inspect } = require("util"); return ${list}.map((make) => inspect(make(), { depth: 0, compact: false, showHidden: false }))`,
      `const { inspect } = require("util"); const a = {}; a.self = a; return inspect(a)`,
      `const { inspect } = require("util"); return inspect({ [inspect.custom]: (depth, options) => "mine " + depth })`,
      `const { inspect } = require("util"); return [inspect("x", { colors: true }), inspect({ a: 1n, b: null }, { colors: true })]`,
      `const { inspect } = require("util"); return inspect({ b: 1, a: 2 }, { sorted: true, breakLength: Infinity })`,
      `const { inspect } = require("util"); return inspect.defaultOptions`,
      `const { format } = require("util"); return [format("%s %d %i %f %j %o %O %c %%", "a", "1.5", "1.5", "1.5", { a: 1 }, [1], { b: 2 }, "css"), format("a", 1, { b: 1 }), format("%s"), format(1, 2), format("%s", null, undefined, 5n, Symbol("s")), format("%d", "x")]`,
      `const { formatWithOptions } = require("util"); return formatWithOptions({ compact: true }, "%O", { a: { b: { c: {} } } })`,
      `const { stripVTControlCharacters } = require("util"); return stripVTControlCharacters("\\u001b[31mred\\u001b[0m")`,
    ],
    [
      {
        snippet: `require("util").inspect(Promise.resolve(1))`,
        guest: "Promise { <pending> }",
        reason: "the engine does not tell the state of a promise",
      },
    ],
  );
});

test("node:util behaves as in Node", async () => {
  await sameAsNode([
    `const { inherits } = require("util"); function A() {} A.prototype.a = () => 1; function B() {} inherits(B, A); return [new B().a(), B.super_ === A, new B() instanceof A]`,
    `require("util").inherits(1, 2)`,
    `const { promisify } = require("util"); return await promisify((a, b, done) => done(null, a + b))(1, 2)`,
    `const { promisify } = require("util"); return await promisify((done) => done(new Error("no")))().catch((error) => error.message)`,
    `const { promisify } = require("util"); const f = (done) => done(); f[promisify.custom] = async () => "own"; return [await promisify(f)(), promisify.custom === Symbol.for("nodejs.util.promisify.custom")]`,
    `const { promisify } = require("util"); const o = { x: 5, get(done) { done(null, this.x) } }; o.later = promisify(o.get); return await o.later()`,
    `const { promisify } = require("util"); return await promisify(setTimeout)(1, "v")`,
    `require("util").promisify(5)`,
    `const { callbackify } = require("util"); return await new Promise((go) => callbackify(async (a) => a + 1)(1, (error, value) => go([error, value])))`,
    `const { callbackify } = require("util"); return await new Promise((go) => callbackify(async () => { throw null })((error) => go([error.code, error.message])))`,
    `const { callbackify } = require("util"); return [callbackify(async function f(a) {}).name, callbackify(async function f(a) {}).length]`,
    `const { isDeepStrictEqual: eq } = require("util"); return [eq({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), eq([1], ["1"]), eq(NaN, NaN), eq(0, -0), eq(new Set([{ a: 1 }]), new Set([{ a: 1 }])), eq(new Map([[{}, 1]]), new Map([[{}, 1]])), eq(new Date(1), new Date(1)), eq(/a/g, /a/i), eq(Buffer.from("a"), Buffer.from("a")), eq({ a: undefined }, {}), eq([1, , 3], [1, undefined, 3]), eq(new Error("a"), new Error("b")), eq(Object(1), Object(2)), eq(Object.create(null), {}), eq({ [Symbol.for("a")]: 1 }, { [Symbol.for("a")]: 1 })]`,
    `const { isDeepStrictEqual } = require("util"); const a = { x: 1 }; a.self = a; const b = { x: 1 }; b.self = b; return isDeepStrictEqual(a, b)`,
    `const { types } = require("util"); const all = [new Map(), new Set(), new Date(), /x/, new Error(), Promise.resolve(), new Uint8Array(), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), async () => {}, function* () {}, (function* () {})(), Object(1), Object("s"), Object(Symbol()), new WeakMap(), new WeakSet(), new Map().keys(), (function () { return arguments })(), {}, [], null, 1]; return Object.keys(types).filter((name) => !["isProxy", "isExternal", "isKeyObject", "isCryptoKey", "isEventTarget", "isModuleNamespaceObject", "isFloat16Array"].includes(name)).sort().map((name) => [name, all.map((value) => types[name](value))])`,
    `require("util/types") === require("util").types`,
    `const { deprecate } = require("util"); class A { constructor() { this.a = 1 } } const B = deprecate(A, "old"); return [deprecate((x) => x + 1, "old")(1), new B().a, new B() instanceof A]`,
    `const log = require("util").debuglog("x"); log("never"); return [log.enabled, typeof log]`,
    `const util = require("util"); return [util.TextEncoder === TextEncoder, util.TextDecoder === TextDecoder, util.isArray([]), util.toUSVString("a\\ud800"), typeof util.inspect.custom]`,
    `require("sys") === require("util")`,
  ]);
});

test("node:assert behaves as in Node", async () => {
  await sameAsNode([
    `const assert = require("assert"); assert(1); assert.ok(true); assert.equal(1, "1"); assert.deepEqual([1], ["1"]); assert.deepStrictEqual({ a: [1] }, { a: [1] }); assert.notStrictEqual(1, 2); assert.match("abc", /b/); return "passed"`,
    `const assert = require("assert"); try { assert.strictEqual(1, 2) } catch (error) { return [error.name, error.code, error.actual, error.expected, error.operator, error.generatedMessage] }`,
    `const assert = require("assert"); try { assert.equal(1, 2, "mine") } catch (error) { return [error.message, error instanceof assert.AssertionError] }`,
    `const assert = require("assert/strict"); assert.equal(1, "1")`,
    `const assert = require("assert"); assert.throws(() => { throw new TypeError("bad") }, TypeError); assert.throws(() => { throw new Error("bad") }, /bad/); await assert.rejects(Promise.reject(new Error("x")), { message: "x" }); assert.doesNotThrow(() => {}); return "passed"`,
    `const assert = require("assert"); assert.throws(() => {})`,
    `const assert = require("assert"); assert.fail("no")`,
    `const assert = require("assert"); assert.ifError(null); assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]]))`,
    `require("assert").strict === require("assert/strict")`,
  ]);
});
