import { type Program, programs } from "./program.ts";

/** More effects, or more requests to the host, than a run may have. */
export const floods: readonly Program[] = [
  ...programs("floods", "output-bounded", [
    ["flood-small-emits", ["error", "timeout"], `for (;;) this.$emit(1)`],
    ["flood-channels", ["error", "timeout"], `for (let i = 0; ; i++) this.$emit(1, { name: "c" + i })`],
    ["flood-summaries", ["error", "timeout"], `for (;;) this.$emit(1, { summary: "x".repeat(1e5) })`],
    ["flood-ids", ["error", "timeout"], `for (let i = 0; ; i++) this.$emit(1, { id: "x".repeat(1e5) + i })`],
    ["flood-one-large-emit", "error", `this.$emit("x".repeat(7e6))`],
    ["flood-wide-emit", ["error", "ok", "out_of_memory"], `this.$emit(Array(4e6).fill(0))`],
    ["flood-db-keys", ["error", "timeout"], `for (let i = 0; ; i++) this.db.set("k" + i, 1)`],
    ["flood-db-overwrites", ["error", "timeout"], `for (;;) this.db.set("k", "x".repeat(5e4))`],
    ["flood-db-deletes", ["error", "timeout"], `for (let i = 0; ; i++) { this.db.set("k", i); this.db.delete("k") }`],
    ["flood-db-value", "error", `this.db.set("k", "x".repeat(1e5))`],
    ["flood-db-key", "error", `this.db.set("x".repeat(1e4), 1)`],
    ["flood-log-objects", "timeout", `for (;;) console.log({ a: Array(100).fill("x") })`],
    ["flood-log-bytes", "ok", `for (let i = 0; i < 50; i++) console.log("x".repeat(1e5))`],
    ["flood-error-message", "error", `throw new Error("x".repeat(1e6))`],
    [
      "flood-error-uncut",
      ["error", "out_of_memory"],
      `String.prototype.slice = function () { return String(this) }; throw new Error("x".repeat(1e6))`,
    ],
    [
      "flood-error-name",
      ["error", "out_of_memory"],
      `String.prototype.slice = function () { return String(this) }; throw Object.assign(new Error("x"), { name: "x".repeat(1e6) })`,
    ],
    [
      "flood-error-causes",
      "error",
      `let e; for (let i = 0; i < 1000; i++) e = new Error("x".repeat(1000), { cause: e }); throw e`,
    ],
    [
      "flood-rejections",
      "ok",
      `for (let i = 0; i < 2e4; i++) Promise.reject(new Error("x" + i)); await new Promise((d) => setTimeout(d))`,
    ],
    ["flood-left-timers", "ok", `for (let i = 0; i < 5e3; i++) setTimeout(() => {}, 1e6)`],
  ]),
  ...programs("floods", "host-work", [
    [
      "work-prime",
      ["error", "timeout", "ok"],
      `require("node:crypto").generateKeyPairSync("rsa", { modulusLength: 65536 })`,
    ],
    [
      "work-scrypt",
      "error",
      `require("node:crypto").scryptSync("x", "y", 64, { N: 2 ** 24, r: 32, p: 16, maxmem: 2 ** 40 })`,
    ],
    ["work-pbkdf2", "error", `require("node:crypto").pbkdf2Sync("x", "y", 2 ** 31 - 1, 64, "sha512")`],
    ["work-random", ["error", "out_of_memory"], `require("node:crypto").randomBytes(2 ** 31 - 1)`],
    [
      "work-gunzip-bomb",
      ["error", "out_of_memory", "timeout"],
      `const z = require("node:zlib"); let b = z.gzipSync(Buffer.alloc(1 << 24)); for (let i = 0; i < 200; i++) z.gunzipSync(b)`,
    ],
    [
      "work-brotli-bomb",
      ["error", "out_of_memory"],
      `const z = require("node:zlib"); z.brotliDecompressSync(z.brotliCompressSync(Buffer.alloc(1 << 24), { params: { [z.constants.BROTLI_PARAM_QUALITY]: 1 } }), { maxOutputLength: 1 << 10 })`,
    ],
    [
      "work-deflate-dictionary",
      ["ok", "error"],
      `const z = require("node:zlib"); z.deflateSync(Buffer.alloc(1000), { dictionary: Buffer.alloc(1 << 20), level: 9 })`,
    ],
    ["work-intl-locales", "error", `new Intl.NumberFormat(Array(1e5).fill("en-US-x-a"))`],
    ["work-intl-digits", "error", `new Intl.NumberFormat("en", { minimumFractionDigits: 1e9 }).format(1)`],
    ["work-url-host", "error", `new URL("http://" + "a\\u0301".repeat(1e5))`],
    ["work-punycode", "error", `new URL("http://xn--" + "a".repeat(1e6))`],
    ["work-decoder", "error", `new TextDecoder("x".repeat(1e5))`],
    ["work-dh-group", ["error", "timeout"], `require("node:crypto").createDiffieHellman(65536)`],
    [
      "work-fetch-many",
      ["error", "timeout", "ok", "out_of_memory"],
      `for (let i = 0; i < 1e5; i++) fetch("http://127.0.0.1:1/" + i).catch(() => {}); await new Promise((d) => setTimeout(d, 1))`,
    ],
    [
      "work-fetch-headers",
      "error",
      `await fetch("http://a.example/", { headers: Object.fromEntries(Array.from({ length: 2e4 }, (_, i) => ["x-" + i, "y".repeat(100)])) })`,
    ],
    ["work-timers", "error", `for (;;) setTimeout(() => {}, 1e9)`],
  ]),
];
