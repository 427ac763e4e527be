/** Hostile components: what they do, and how each must end. */
export interface Hostile {
  readonly what: string;
  readonly body: string;
  readonly rest?: string;
  /** Code of the error; undefined: it ends well. */
  readonly ends: "sandbox_timeout" | "sandbox_out_of_memory" | "component_threw" | undefined;
  /** Name of the thrown error, where the component threw. */
  readonly name?: string;
}

/** Programs that never end by themselves or want more than they may have; every one does it in `run`. */
export const hostilePrograms: readonly Hostile[] = [
  { what: "an endless loop", body: `for (;;) {}`, ends: "sandbox_timeout" },
  {
    what: "an endless loop that catches everything",
    body: `for (;;) { try { for (;;) {} } catch {} finally { continue } }`,
    ends: "sandbox_timeout",
  },
  {
    what: "a chain of microtasks",
    body: `await new Promise(() => { const f = () => Promise.resolve().then(f); f(); })`,
    ends: "sandbox_timeout",
  },
  { what: "an async loop", body: `for (;;) await null`, ends: "sandbox_timeout" },
  {
    what: "a flood of promises",
    body: `const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f(); await new Promise(() => {})`,
    ends: "sandbox_timeout",
  },
  {
    what: "a timer that never stops",
    body: `setInterval(() => {}, 1); await new Promise(() => {})`,
    ends: "sandbox_timeout",
  },
  {
    what: "timers that start timers",
    body: `const f = () => { setTimeout(f); setTimeout(f, 1); }; f(); await new Promise(() => {})`,
    ends: "sandbox_timeout",
  },
  { what: "a backtracking regular expression", body: `/^(a+)+$/.test("a".repeat(50) + "!")`, ends: "sandbox_timeout" },
  {
    what: "a native search that looks at no interrupt",
    body: `"a".repeat(2e6).indexOf("a".repeat(1e6) + "b")`,
    ends: "sandbox_timeout",
  },
  { what: "a native join over a huge length", body: `[].concat(Array(2e8)).join("").length`, ends: "sandbox_timeout" },
  {
    what: "a native fill again and again",
    body: `const a = new Uint8Array(1e7); for (;;) a.fill(1)`,
    ends: "sandbox_timeout",
  },
  {
    what: "a shared object as deep JSON",
    body: `let o = {}; for (let i = 0; i < 40; i++) o = { a: o, b: o }; JSON.stringify(o)`,
    ends: "sandbox_timeout",
  },
  {
    what: "a getter that loops while an error is read",
    body: `throw { get message() { for (;;) {} } }`,
    ends: "sandbox_timeout",
  },
  {
    what: "a toJSON that loops while it is emitted",
    body: `this.$emit({ toJSON() { for (;;) {} } })`,
    ends: "sandbox_timeout",
  },
  { what: "a thenable that calls itself", body: `const t = { then(r) { r(t) } }; await t`, ends: "sandbox_timeout" },
  { what: "a flood of log lines", body: `for (;;) console.log("x".repeat(1000))`, ends: "sandbox_timeout" },
  {
    what: "a flood of emits that ignores refusals",
    body: `for (;;) { try { this.$emit("x".repeat(10000)) } catch {} }`,
    ends: "sandbox_timeout",
  },
  {
    what: "a flood of emits",
    body: `for (;;) this.$emit("x".repeat(10000))`,
    ends: "component_threw",
    name: "EmitLimitError",
  },
  {
    what: "a flood of db writes",
    body: `for (let i = 0; ; i++) this.db.set("k" + i, "x".repeat(50000))`,
    ends: "component_threw",
    name: "DbTooLargeError",
  },
  { what: "plain recursion", body: `const f = () => f() + 1; f()`, ends: "component_threw", name: "InternalError" },
  {
    what: "recursion through a proxy",
    body: `const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x`,
    ends: "component_threw",
    name: "InternalError",
  },
  { what: "deeply nested JSON", body: `JSON.parse("[".repeat(200000))`, ends: "component_threw" },
  {
    what: "strings in a growing list",
    body: `const a = []; for (;;) a.push("x".repeat(1e6) + a.length)`,
    ends: "sandbox_out_of_memory",
  },
  {
    what: "a doubling string",
    body: `let s = "x"; for (;;) s += s + Math.random()`,
    ends: "component_threw",
    name: "InternalError",
  },
  {
    what: "byte buffers in a growing list",
    body: `const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))`,
    ends: "sandbox_out_of_memory",
  },
  {
    what: "small objects after an await",
    body: `await null; const a = []; for (;;) a.push({ a: 1, b: [2] })`,
    ends: "sandbox_out_of_memory",
  },
  { what: "one allocation beyond the limit", body: `new Uint8Array(3e9)`, ends: "component_threw" },
  {
    what: "deep function nesting made at run time",
    body: `Function("(".repeat(20000) + ")".repeat(20000))`,
    ends: "component_threw",
  },
  {
    what: "overwritten built-ins",
    body: `JSON.stringify = JSON.parse = () => "{}"; Promise.resolve = () => { throw 1 }; Array.prototype.map = null; Object.prototype.toJSON = () => 1; this.$emit(1)`,
    ends: undefined,
  },
  {
    what: "a hunt for the host",
    body: `const hits = ["process.env.PATH", "process.binding", "process.dlopen", "process.mainModule", "process.report", "require", "module", "WebAssembly", "SharedArrayBuffer", "std", "os", "__dirname"].filter((n) => { try { return typeof Function("return typeof " + n + " === 'undefined' ? undefined : " + n)() !== "undefined" } catch { return false } }); if (hits.some((n) => !["SharedArrayBuffer"].includes(n))) throw new Error(hits.join())`,
    ends: undefined,
  },
];
