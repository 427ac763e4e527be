import { type Program, programs } from "./program.ts";

/** Programs that need more memory or deeper stacks than allowed. */
export const resources: readonly Program[] = [
  ...programs("memory", "memory-capped", [
    [
      "memory-map",
      ["out_of_memory", "error"],
      `const m = new Map(); for (let i = 0; ; i++) m.set(i, "x".repeat(1000) + i)`,
    ],
    ["memory-set-of-objects", ["out_of_memory", "error"], `const s = new Set(); for (;;) s.add({ a: [1, 2, 3] })`],
    [
      "memory-closures",
      ["out_of_memory", "error"],
      `let f = () => {}; for (;;) { const g = f, a = new Array(100).fill(0); f = () => [g, a] }`,
    ],
    [
      "memory-promises",
      ["out_of_memory", "error", "timeout"],
      `const all = []; for (;;) all.push(new Promise(() => {}).then(() => {}))`,
    ],
    [
      "memory-symbols",
      ["out_of_memory", "error"],
      `const o = {}; for (let i = 0; ; i++) o[Symbol("x".repeat(100) + i)] = i`,
    ],
    [
      "memory-property-names",
      ["out_of_memory", "error", "timeout"],
      `const o = {}; for (let i = 0; ; i++) o["name".repeat(50) + i] = i`,
    ],
    ["memory-typed-arrays", ["out_of_memory", "error"], `const a = []; for (;;) a.push(new Float64Array(1 << 17))`],
    ["memory-blob", ["out_of_memory", "error"], `const a = []; for (;;) a.push(new Blob([new Uint8Array(1 << 20)]))`],
    ["memory-buffer", ["out_of_memory", "error"], `const a = []; for (;;) a.push(Buffer.alloc(1 << 20))`],
    ["memory-array-holes", ["out_of_memory", "error"], `const a = []; for (let i = 0; ; i++) a[i * 2] = i`],
    ["memory-concat", ["out_of_memory", "error"], `let a = [1]; for (;;) a = a.concat(a)`],
    ["memory-spread", ["out_of_memory", "error"], `let a = [1]; for (;;) a = [...a, ...a]`],
    [
      "memory-regex-captures",
      ["out_of_memory", "error", "timeout"],
      `const a = []; for (;;) a.push("x".repeat(1e5).match(/./g))`,
    ],
    [
      "memory-functions",
      ["out_of_memory", "error", "timeout"],
      `const a = []; for (let i = 0; ; i++) a.push(Function("return " + "[" .repeat(50) + i + "]".repeat(50)))`,
    ],
    [
      "memory-file-system",
      ["out_of_memory", "error"],
      `const fs = require("node:fs"); for (let i = 0; ; i++) fs.writeFileSync("/tmp/" + i, Buffer.alloc(1 << 20))`,
    ],
    [
      "memory-streams",
      ["out_of_memory", "error", "timeout"],
      `const t = new TransformStream(); const w = t.writable.getWriter(); for (;;) w.write(new Uint8Array(1 << 20)).catch(() => {})`,
    ],
    [
      "memory-caught",
      ["out_of_memory", "error", "timeout", "ok"],
      `const a = []; for (let i = 0; i < 1e6; i++) try { a.push("x".repeat(1e6) + i) } catch { a.length = 0 }`,
    ],
    [
      "memory-in-rejection",
      ["out_of_memory", "error"],
      `const a = []; await (async () => { for (;;) { await null; a.push("x".repeat(1e6) + a.length) } })()`,
    ],
    [
      "memory-stack-of-error",
      ["out_of_memory", "error", "timeout"],
      `const a = []; for (;;) a.push(new Error("x".repeat(1e5) + a.length))`,
    ],
    ["memory-one-request", "error", `new ArrayBuffer(2 ** 40)`],
    ["memory-pad", "error", `"x".padEnd(2 ** 31)`],
  ]),
  ...programs("stack", "stack-contained", [
    ["stack-mutual", "error", `const a = () => b() + 1, b = () => a() + 1; a()`],
    ["stack-getter", "error", `const o = { get x() { return this.x } }; o.x`],
    ["stack-to-string", "error", `const o = { toString() { return "" + this } }; "" + o`],
    [
      "stack-bound",
      ["error", "out_of_memory", "ok"],
      `let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(); f()`,
    ],
    ["stack-apply", "error", `const f = (...a) => f.apply(null, a); f(...Array(50).fill(1))`],
    ["stack-reflect", "error", `const f = () => Reflect.construct(f, []); function g() { return new g() } g()`],
    [
      "stack-proxy-chain",
      ["error", "out_of_memory", "ok"],
      `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x`,
    ],
    ["stack-json-parse", "error", `JSON.parse('{"a":'.repeat(1e5) + "1" + "}".repeat(1e5))`],
    [
      "stack-json-stringify",
      ["error", "out_of_memory", "ok"],
      `let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; JSON.stringify(o)`,
    ],
    ["stack-parser-parens", "error", `Function("return " + "(".repeat(1e5) + "1" + ")".repeat(1e5))`],
    ["stack-parser-arrays", "error", `Function("return " + "[".repeat(1e5) + "]".repeat(1e5))`],
    ["stack-parser-blocks", "error", `Function("{".repeat(1e5) + "}".repeat(1e5))`],
    ["stack-parser-arrows", "error", `Function("return " + "() => ".repeat(1e5) + "1")`],
    ["stack-parser-unary", "error", `Function("return " + "!".repeat(2e5) + "1")`],
    ["stack-parser-templates", "error", `Function("return " + "\`\${".repeat(5e4) + "1" + "}\`".repeat(5e4))`],
    ["stack-regex-groups", ["error", "timeout"], `new RegExp("(".repeat(1e5) + ")".repeat(1e5))`],
    ["stack-destructuring", "error", `Function("const " + "[".repeat(5e4) + "a" + "]".repeat(5e4) + " = 1")`],
    ["stack-emit-deep", "error", `let o = 1; for (let i = 0; i < 5000; i++) o = [o]; this.$emit(o)`],
    ["stack-log-deep", "ok", `let o = 1; for (let i = 0; i < 5000; i++) o = [o]; console.log(o)`],
    ["stack-db-deep", "error", `let o = 1; for (let i = 0; i < 5000; i++) o = [o]; this.db.set("k", o)`],
    ["stack-clone-deep", "error", `let o = 1; for (let i = 0; i < 1e5; i++) o = [o]; structuredClone(o)`],
    ["stack-flat", ["error", "ok"], `let o = [1]; for (let i = 0; i < 1e5; i++) o = [o]; o.flat(Infinity)`],
    [
      "stack-error-cause",
      ["error", "out_of_memory", "ok"],
      `let e = new Error("x"); for (let i = 0; i < 5e3; i++) e = new Error("x", { cause: e }); throw e`,
    ],
    [
      "stack-caught-again",
      ["error", "timeout", "ok"],
      `let n = 0; const f = () => { try { f() } catch { if (n++ < 1000) f() } }; f()`,
    ],
  ]),
];
