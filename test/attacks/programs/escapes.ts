import { type Program, programs } from "./program.ts";

/** Code that finds out whether `value` is an object of the host. */
const look = `const found = [];
const see = (what, value) => { try { if (value !== undefined && value !== null) found.push(what) } catch { } };
const hostly = (global) => { try { return global && global !== globalThis && (global.process?.versions?.v8 || global.process?.pid) } catch { return undefined } };
const through = (what, fn) => { try { const g = fn(); if (hostly(g)) found.push(what) } catch { } };`;
const tell = `for (const each of found) this.$emit(each);`;

type Way = readonly [id: string, body: string];

/** Own programs, modelled on published advisories about sandboxes that share an engine with their host. */
const ways: readonly Way[] = [
  [
    "escape-constructor-chain",
    `through("c", () => this.constructor.constructor("return globalThis")()); through("e", () => this.$emit.constructor("return globalThis")())`,
  ],
  [
    "escape-error-constructor",
    `try { this.$emit(1n) } catch (e) { through("c", () => e.constructor.constructor("return globalThis")()) }`,
  ],
  [
    "escape-host-refusal",
    `try { this.$emit(1, { name: "$errors" }) } catch (e) { through("p", () => Object.getPrototypeOf(Object.getPrototypeOf(e)).constructor.constructor("return globalThis")()) }`,
  ],
  [
    "escape-prepare-stack-trace",
    `Error.prepareStackTrace = (_, sites) => sites; try { null.x } catch (e) { for (const s of Array.isArray(e.stack) ? e.stack : []) { through("this", () => s.getThis?.()); through("fn", () => s.getFunction?.().constructor("return globalThis")()) } }`,
  ],
  [
    "escape-stack-overflow-error",
    `let e; const f = () => f(); try { f() } catch (x) { e = x } through("c", () => e.constructor.constructor("return globalThis")())`,
  ],
  [
    "escape-promise-species",
    `class P extends Promise { static get [Symbol.species]() { return function (x) { x((v) => through("v", () => v.constructor.constructor("return globalThis")()), () => {}) } } } try { P.resolve(1).then(() => {}) } catch {}`,
  ],
  [
    "escape-promise-then-patch",
    `const { then } = Promise.prototype; Promise.prototype.then = function (a, b) { through("this", () => this.constructor.constructor("return globalThis")()); return then.call(this, a, b) }; await (async () => 1)()`,
  ],
  [
    "escape-async-rejection",
    `await fetch("http://127.0.0.1:1/").catch((e) => { for (let o = e; o; o = o.cause) through("c", () => o.constructor.constructor("return globalThis")()) })`,
  ],
  [
    "escape-inspect-custom",
    `console.log({ [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) { through("inspect", () => inspect?.constructor?.("return globalThis")()); through("options", () => options?.stylize?.constructor?.("return globalThis")()); return "" } })`,
  ],
  [
    "escape-suppressed-error",
    `try { const e = new SuppressedError(new Error("a"), new Error("b")); through("s", () => e.suppressed.constructor.constructor("return globalThis")()) } catch {}`,
  ],
  [
    "escape-aggregate-error",
    `try { await Promise.any([fetch("http://127.0.0.1:1/")]) } catch (e) { for (const each of e.errors ?? []) through("a", () => each.constructor.constructor("return globalThis")()) }`,
  ],
  [
    "escape-finalization",
    `const r = new FinalizationRegistry(function (held) { through("r", () => this.constructor.constructor("return globalThis")()) }); r.register({}, 1); for (let i = 0; i < 1e4; i++) ({ i })`,
  ],
  ["escape-weak-ref", `through("w", () => new WeakRef(this).deref().constructor.constructor("return globalThis")())`],
  [
    "escape-generator-function",
    `through("g", () => Object.getPrototypeOf(function* () {}).constructor("return globalThis")().next().value)`,
  ],
  [
    "escape-async-function",
    `const g = await Object.getPrototypeOf(async () => {}).constructor("return globalThis")(); through("a", () => g)`,
  ],
  [
    "escape-import-expression",
    `for (const name of ["fs", "node:fs", "child_process", "node:vm", "x:host"]) try { const m = await (0, eval)("import(" + JSON.stringify(name) + ")"); see(name, m) } catch {}`,
  ],
  [
    "escape-computed-require",
    `for (const name of ["child_process", "vm", "cluster", "inspector", "repl", "wasi"]) try { const m = require(name + ""); for (const k of ["exec", "spawn", "fork", "runInThisContext", "open"]) if (typeof m[k] === "function") try { m[k]("true"); found.push(name + k) } catch {} } catch {}`,
  ],
  [
    "escape-require-main",
    `see("main", globalThis.require?.main); see("cache", globalThis.require?.cache && Object.keys(globalThis.require.cache)[0]); see("m", globalThis.module?.parent)`,
  ],
  [
    "escape-process-binding",
    `for (const name of ["binding", "_linkedBinding", "dlopen", "_kill", "reallyExit", "abort", "setuid", "chdir", "_debugProcess"]) try { const r = process[name]?.("fs"); see(name, r) } catch {}`,
  ],
  [
    "escape-process-env",
    `for (const name of ["PATH", "HOME", "X_API_KEY", "X_SECRET_KEY", "npm_config_registry"]) see(name, process.env[name])`,
  ],
  [
    "escape-host-files",
    `const fs = require("node:fs"); for (const path of ["/etc/passwd", "/proc/self/environ", "/etc/hostname", "/dev/null", "x.key", "../x.db"]) try { see(path, fs.readFileSync(path)) } catch {}`,
  ],
  [
    "escape-proc-fd",
    `const fs = require("node:fs"); for (let fd = 0; fd < 64; fd++) try { const b = Buffer.alloc(1); if (fs.readSync(fd, b) > 0) found.push("fd" + fd) } catch {}`,
  ],
  [
    "escape-worker-threads",
    `const w = require("node:worker_threads"); see("port", w.parentPort); see("data", w.workerData && Object.keys(w.workerData)[0]); try { new w.Worker("1", { eval: true }); found.push("worker") } catch {}`,
  ],
  ["escape-web-assembly", `see("WebAssembly", globalThis.WebAssembly?.Module)`],
  [
    "escape-shared-memory",
    `try { const b = new SharedArrayBuffer(8); Atomics.wait(new Int32Array(b), 0, 0, 1e9) } catch {}`,
  ],
  [
    "escape-engine-modules",
    `for (const name of ["std", "os", "bjson"]) { see(name, globalThis[name]); try { see(name, await (0, eval)("import('" + name + "')")) } catch {} }`,
  ],
  [
    "escape-load-script",
    `for (const name of ["loadScript", "scriptArgs", "print", "__loadScript", "gc", "load"]) see(name, globalThis[name])`,
  ],
  [
    "escape-function-caller",
    `function f() { return f.caller ?? f.arguments?.callee?.caller } try { through("caller", () => f()?.constructor("return globalThis")()) } catch {}`,
  ],
  [
    "escape-arguments-callee",
    `const o = { toString() { try { through("callee", () => arguments.callee.caller.constructor("return globalThis")()) } catch {} return "x" } }; try { this.$emit(1, { summary: o, name: "$" }) } catch {}`,
  ],
  [
    "escape-dispatch-guess",
    `for (const name of Object.getOwnPropertyNames(globalThis)) if (/dispatch|host|enter|__x/i.test(name) && typeof globalThis[name] === "function") found.push(name)`,
  ],
  [
    "escape-self-symbols",
    `for (const key of Reflect.ownKeys(this)) if (typeof key === "symbol") found.push(String(key))`,
  ],
  [
    "escape-setter-trap",
    `let caught; Object.defineProperty(Object.prototype, "dispatch", { set(v) { caught = v }, configurable: true }); try { this.$emit(1n) } catch {} see("caught", caught)`,
  ],
  [
    "escape-array-index-setter",
    `let caught; Object.defineProperty(Array.prototype, "0", { set(v) { if (typeof v === "function" && /native/.test(String(v))) caught = v }, configurable: true }); console.log("x"); see("caught", caught)`,
  ],
  [
    "escape-apply-patch",
    `const { apply } = Function.prototype; let caught; Function.prototype.apply = function (...a) { if (this.name === "dispatch") caught = this; return apply.call(this, ...a) }; try { this.$emit(1n) } catch {} see("caught", caught)`,
  ],
  [
    "escape-call-patch",
    `const { call } = Function.prototype; let caught; Function.prototype.call = function (...a) { if (this.name === "dispatch") caught = this; return Reflect.apply(this, a[0], a.slice(1)) }; console.log("x"); see("caught", caught)`,
  ],
  [
    "escape-reflect-patch",
    `let caught; const { apply } = Reflect; Reflect.apply = (f, ...a) => { if (f?.name === "dispatch") caught = f; return apply(f, ...a) }; console.log("x"); see("caught", caught)`,
  ],
  [
    "escape-json-patch",
    `const { parse } = JSON; let caught; JSON.parse = (...a) => { if (/"(env|apiKey|secret)"/.test(a[0])) caught = a[0]; return parse(...a) }; try { await fetch("http://127.0.0.1:1/") } catch {} see("caught", caught)`,
  ],
  [
    "escape-stack-paths",
    `try { null.x } catch (e) { if (/file:|node:|\\/(?:home|root|usr|work|tmp)\\//.test(e.stack)) found.push(e.stack) }`,
  ],
  [
    "escape-refusal-paths",
    `try { this.db.set("k".repeat(1e4), 1) } catch (e) { if (/file:|node:|\\.ts|\\/node_modules\\//.test(e.stack)) found.push(e.stack) }`,
  ],
  [
    "escape-os-facts",
    `const os = require("node:os"); if (os.hostname() !== "localhost" && /\\./.test(os.hostname())) found.push("hostname"); try { see("user", os.userInfo().homedir.startsWith("/home/") || undefined) } catch {} if (Object.keys(os.networkInterfaces()).length > 0) found.push("interfaces")`,
  ],
  ["escape-performance-memory", `see("memory", globalThis.performance?.memory)`],
  [
    "escape-intl-host-object",
    `through("i", () => new Intl.NumberFormat("en").format.constructor("return globalThis")())`,
  ],
  [
    "escape-crypto-host-object",
    `const k = require("node:crypto").createHash("sha256"); through("k", () => k.constructor.constructor("return globalThis")())`,
  ],
  [
    "escape-url-host-object",
    `through("u", () => new URL("http://a").searchParams.constructor.constructor("return globalThis")())`,
  ],
  ["escape-event-object", `through("e", () => event.constructor.constructor("return globalThis")())`],
  [
    "escape-structured-clone",
    `through("s", () => structuredClone({ a: new Error("x") }).a.constructor.constructor("return globalThis")())`,
  ],
];

export const escapes: readonly Program[] = programs(
  "escapes",
  "no-host",
  ways.map(([id, body]) => [id, "ok", `${look} ${body}; ${tell}`]),
);
