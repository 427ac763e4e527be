import type { Attack } from "../attack.ts";

/** A body of `run` that outputs the secret `this.token` where it must be masked. */
export interface Leak extends Attack {
  readonly body: string;
}

const rows: readonly (readonly [id: string, body: string])[] = [
  ["log", `console.log(this.token)`],
  ["log-inside-text", `console.warn("token=" + this.token + "&x")`],
  ["log-object", `console.log({ deep: [{ token: this.token }] })`],
  ["log-key", `console.log({ [this.token]: 1 })`],
  ["log-json", `console.log(JSON.stringify({ token: this.token }))`],
  ["log-json-twice", `console.log(JSON.stringify(JSON.stringify({ token: this.token })))`],
  ["log-error", `console.error(new Error(this.token))`],
  ["log-format", `console.log("%s %j %o", this.token, this.token, { a: this.token })`],
  ["log-this", `console.log(this)`],
  ["throw-message", `throw new Error("no: " + this.token)`],
  ["throw-text", `throw this.token`],
  ["throw-name", `throw Object.assign(new Error("x"), { name: this.token })`],
  ["throw-stack", `throw Object.assign(new Error("x"), { stack: this.token })`],
  ["throw-cause", `throw new Error("x", { cause: new Error(this.token) })`],
  ["rejection", `Promise.reject(new Error(this.token)); await new Promise((done) => setTimeout(done))`],
  ["left-timer", `setTimeout(() => {}, 1e6); fetch("http://127.0.0.1:1/" + this.token)`],
  [
    "request-error",
    `await fetch("http://127.0.0.1:1/" + this.token).catch((error) => { throw new Error(this.token + error) })`,
  ],
  ["db-error", `this.db.set(this.token, "x".repeat(1e5))`],
  ["emit-error", `this.$emit(1, { name: "$" + this.token })`],
];

export const leaks: readonly Leak[] = rows.map(([id, body]) => ({
  id: `leak-${id}`,
  class: "secrets",
  promise: "secrets-kept",
  body,
}));
