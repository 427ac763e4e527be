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
    what: "a comparison of endless marks",
    body: `try { new Intl.Collator("en").compare("a" + "\\u0301".repeat(2e5) + "\\u0323".repeat(2e5), "a" + "\\u0323".repeat(2e5) + "\\u0301".repeat(2e5)) } catch (error) { if (error instanceof RangeError) return; throw error } throw new Error("compared")`,
    ends: undefined,
  },
  {
    what: "a locale without end",
    body: `const long = "en-u-" + Array.from({ length: 2e4 }, (_, n) => "a" + (1e5 + n)).join("-"); for (const make of [() => new Intl.Locale(long), () => new Intl.Collator(long), () => "a".localeCompare("b", Array(4e4).fill("aab-123"))]) { let name; try { make() } catch (error) { name = error.name } if (name !== "RangeError") throw new Error(name) }`,
    ends: undefined,
  },
  {
    what: "a host name of endless marks",
    body: `const host = "a" + "\\u0301".repeat(1e5) + "\\u0323".repeat(1e5); const url = new URL("http://a.example"); url.hostname = host; if (URL.canParse("http://" + host) || URL.canParse("//" + host, "http://b") || url.hostname !== "a.example") throw new Error("parsed")`,
    ends: undefined,
  },
  {
    what: "overwritten built-ins",
    body: `JSON.stringify = JSON.parse = () => "{}"; Promise.resolve = () => { throw 1 }; Array.prototype.map = null; Object.prototype.toJSON = () => 1; this.$emit(1)`,
    ends: undefined,
  },
  {
    what: "a hunt for the host",
    body: `const hits = ["process.env.PATH", "process.mainModule", "process.report", "require", "module", "WebAssembly", "SharedArrayBuffer", "std", "os", "__dirname"].filter((n) => { try { return typeof Function("return typeof " + n + " === 'undefined' ? undefined : " + n)() !== "undefined" } catch { return false } }); for (const n of ["binding", "dlopen", "kill", "exit", "abort", "chdir", "reallyExit"]) try { process[n]("/"); hits.push("process." + n) } catch {} if (Object.keys(process.env).length > 0) hits.push("process.env"); if (hits.some((n) => !["SharedArrayBuffer"].includes(n))) throw new Error(hits.join())`,
    ends: undefined,
  },
];

const rsa = `{ name: "RSA-PSS", modulusLength: 4096, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }`;

/** Programs that have the host work without end, for campaigns: a thread inside the host's own code goes on for a while. */
export const heavyPrograms: readonly Hostile[] = [
  {
    what: "a search for large primes",
    body: `for (;;) await crypto.subtle.generateKey(${rsa}, true, ["sign"])`,
    ends: "sandbox_timeout",
  },
  {
    what: "keys from passphrases without end",
    body: `const key = await crypto.subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]); for (;;) await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations: 1e6 }, key, 256)`,
    ends: "sandbox_timeout",
  },
  {
    what: "words of a long text",
    body: `const text = "ภาษาไทยสวย".repeat(2e4), words = new Intl.Segmenter("th", { granularity: "word" }); for (;;) [...words.segment(text)]`,
    ends: "sandbox_timeout",
  },
  {
    what: "formatters without end",
    body: `for (let n = 1e6; ; n++) new Intl.DateTimeFormat("en-x-a" + n, { dateStyle: "full" }).format(0)`,
    ends: "sandbox_timeout",
  },
  {
    what: "compression without end",
    body: `const data = new Uint8Array(4e6).map((_, n) => n * n); for (;;) await new Response(new Blob([data]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()`,
    ends: "sandbox_timeout",
  },
];
