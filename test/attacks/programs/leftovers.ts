import type { Attack } from "../attack.ts";

/** Two runs: the second searches for leftovers of the first, and emits what it finds. */
export interface Leftover extends Attack {
  readonly leave: string;
  readonly look: string;
  /** The second run belongs to another user, with other code. */
  readonly other: boolean;
}

const secret = "left-by-the-first-run";
const ways: readonly (readonly [id: string, leave: string, look: string])[] = [
  ["global", `globalThis.left = "${secret}"`, `globalThis.left`],
  ["prototype", `Object.prototype.left = "${secret}"`, `({}).left`],
  ["patched-json", `JSON.stringify = () => '"${secret}"'`, `JSON.stringify("x") !== '"x"' || undefined`],
  [
    "patched-promise",
    `const { then } = Promise.prototype; Promise.prototype.then = function (...a) { return then.apply(this, a) }`,
    `!/native/.test(String(Promise.prototype.then)) || undefined`,
  ],
  [
    "patched-fetch",
    `globalThis.fetch = () => "${secret}"`,
    `String(globalThis.fetch).includes("${secret}") || undefined`,
  ],
  ["file", `require("node:fs").writeFileSync("/tmp/left", "${secret}")`, `require("node:fs").readdirSync("/tmp")[0]`],
  ["environment", `process.env.LEFT = "${secret}"`, `process.env.LEFT`],
  ["timer", `setTimeout(() => { globalThis.left = 1; this.$emit("late") }, 1)`, `globalThis.left`],
  [
    "symbol-registry",
    `Symbol.for("x").description; globalThis[Symbol.for("left")] = 1`,
    `globalThis[Symbol.for("left")]`,
  ],
  [
    "module-cache",
    `require("node:crypto").left = "${secret}"; require("node:events").left = 1`,
    `require("node:crypto").left ?? require("node:events").left`,
  ],
  ["regexp-statics", `/(${secret})/.exec("${secret}")`, `RegExp.$1 || undefined`],
  [
    "memory",
    `const a = []; for (let i = 0; i < 64; i++) a.push(new Uint8Array(1 << 16).fill(0xab)); globalThis.a = a`,
    `Array.from({ length: 64 }, () => new Uint8Array(1 << 16)).some((a) => a.includes(0xab)) || undefined`,
  ],
  [
    "allocated-buffer",
    `globalThis.b = Buffer.allocUnsafe(8192).fill("${secret}")`,
    `Array.from({ length: 64 }, () => Buffer.allocUnsafe(8192)).some((b) => b.includes("${secret}")) || undefined`,
  ],
  ["random", `globalThis.r = Math.random()`, `globalThis.r`],
  ["async-context", `new (require("node:async_hooks").AsyncLocalStorage)().enterWith("${secret}")`, `undefined`],
  [
    "handlers",
    `process.on("exit", () => "${secret}"); process.on("left", () => {})`,
    `process.listenerCount("left") || undefined`,
  ],
];

export const leftovers: readonly Leftover[] = [false, true].flatMap((other) =>
  ways.map(([id, leave, look]) => ({
    id: `left-${other ? "to-other" : "to-self"}-${id}`,
    class: "leftovers" as const,
    promise: "runs-fresh",
    leave,
    look,
    other,
  })),
);
