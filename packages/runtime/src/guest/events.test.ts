import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../sandbox/contract.ts";
import { openSandbox } from "../sandbox/sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("AbortController and AbortSignal do what they do in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const { signal } = new AbortController(); return [signal.aborted, signal.reason, signal.onabort]`,
    `const stop = new AbortController(); stop.abort(); return [stop.signal.aborted, stop.signal.reason.name, stop.signal.reason.code, stop.signal.reason.message]`,
    `const stop = new AbortController(); stop.abort("why"); stop.abort("again"); return stop.signal.reason`,
    `const stop = new AbortController(); stop.abort(null); return stop.signal.reason`,
    `const stop = new AbortController(); const seen = []; stop.signal.addEventListener("abort", (event) => seen.push(event.type, event.target === stop.signal)); stop.signal.onabort = () => seen.push("on"); stop.abort(); stop.abort(); return seen`,
    `const stop = new AbortController(); const seen = []; const hear = () => seen.push(1); stop.signal.addEventListener("abort", hear); stop.signal.addEventListener("abort", hear); stop.abort(); return seen`,
    `const stop = new AbortController(); const seen = []; const hear = () => seen.push(1); stop.signal.addEventListener("abort", hear); stop.signal.removeEventListener("abort", hear); stop.abort(); return seen`,
    `const stop = new AbortController(); const seen = []; stop.signal.addEventListener("abort", { handleEvent() { seen.push(this !== undefined) } }); stop.abort(); return seen`,
    `AbortSignal.abort().reason.name`,
    `AbortSignal.abort("r").reason`,
    `try { AbortSignal.abort("r").throwIfAborted() } catch (error) { return error }`,
    `new AbortController().signal.throwIfAborted()`,
    `new AbortSignal()`,
    `const stop = new AbortController(); const any = AbortSignal.any([new AbortController().signal, stop.signal]); const before = any.aborted; stop.abort("x"); return [before, any.aborted, any.reason]`,
    `const any = AbortSignal.any([AbortSignal.abort("a"), AbortSignal.abort("b")]); return any.reason`,
    `AbortSignal.any([]).aborted`,
    `const any = AbortSignal.any([AbortSignal.any([AbortSignal.abort("deep")])]); return any.reason`,
    `const signal = AbortSignal.timeout(5); await new Promise((done) => signal.addEventListener("abort", done)); return [signal.aborted, signal.reason.name, signal.reason.code]`,
    `const signal = AbortSignal.timeout(60000); return signal.aborted`,
    `await fetch("https://a.test", { signal: AbortSignal.abort("early") }).catch((reason) => reason)`,
    `Object.prototype.toString.call(new AbortController().signal)`,
  ]);
  expect(guest).toEqual(node);
});

test("Event, EventTarget and DOMException do what they do in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const event = new Event("x", { cancelable: true }); event.preventDefault(); return [event.type, event.defaultPrevented, event.cancelable, event.target]`,
    `const event = new Event("x"); event.preventDefault(); return event.defaultPrevented`,
    `new Event()`,
    `const target = new EventTarget(); return [target.dispatchEvent(new Event("a")), (target.addEventListener("b", (event) => event.preventDefault()), target.dispatchEvent(new Event("b", { cancelable: true })))]`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", () => seen.push(1), { once: true }); target.dispatchEvent(new Event("a")); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", (event) => { seen.push(1); event.stopImmediatePropagation() }); target.addEventListener("a", () => seen.push(2)); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", function () { seen.push(this === target) }); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const seen = []; const stop = new AbortController(); target.addEventListener("a", () => seen.push(1), { signal: stop.signal }); stop.abort(); target.dispatchEvent(new Event("a")); return seen`,
    `class Mine extends EventTarget {} return new Mine() instanceof EventTarget`,
    `["AbortError", "TimeoutError", "DataCloneError", "QuotaExceededError", "Other"].map((name) => { const error = new DOMException("m", name); return [error.name, error.message, error.code, error instanceof Error] })`,
    `const error = new DOMException(); return [error.name, error.message, error.code]`,
    `const error = new DOMException("m", { name: "N", cause: 7 }); return [error.name, error.cause]`,
    `String(new DOMException("m", "AbortError"))`,
  ]);
  expect(guest).toEqual(node);
});

test("timers and microtasks keep Node's order", async () => {
  const { guest, node } = await compare(sandbox, [
    `const seen = []; setTimeout(() => seen.push("t20"), 20); setTimeout(() => seen.push("t1"), 1); queueMicrotask(() => seen.push("micro")); Promise.resolve().then(() => seen.push("then")); seen.push("now"); await new Promise((done) => setTimeout(done, 40)); return seen`,
    `const seen = []; queueMicrotask(() => { seen.push(1); queueMicrotask(() => seen.push(3)) }); queueMicrotask(() => seen.push(2)); await new Promise((done) => setTimeout(done, 5)); return seen`,
    `const seen = []; Promise.resolve().then(() => seen.push("a")); queueMicrotask(() => seen.push("b")); (async () => { await null; seen.push("c") })(); await new Promise((done) => setTimeout(done, 5)); return seen`,
    `const seen = []; for (const n of [1, 2, 3]) setTimeout(() => seen.push(n), 5); await new Promise((done) => setTimeout(done, 15)); return seen`,
    `const seen = []; setTimeout(() => { seen.push("t1"); Promise.resolve().then(() => seen.push("m1")) }, 2); setTimeout(() => seen.push("t2"), 2); await new Promise((done) => setTimeout(done, 15)); return seen`,
    `const seen = []; setTimeout((...args) => seen.push(...args), 1, "a", 2); await new Promise((done) => setTimeout(done, 10)); return seen`,
    `let count = 0; await new Promise((done) => { const id = setInterval(() => { if (++count === 3) { clearInterval(id); done() } }, 1) }); await new Promise((done) => setTimeout(done, 10)); return count`,
    `const seen = []; const id = setTimeout(() => seen.push(1), 1); clearTimeout(id); clearTimeout(id); clearTimeout(undefined); clearTimeout("x"); await new Promise((done) => setTimeout(done, 8)); return seen`,
    `const seen = []; const id = setTimeout(() => seen.push(1), 1); clearTimeout(+id); await new Promise((done) => setTimeout(done, 8)); return seen`,
    `const seen = []; const a = setTimeout(() => { seen.push("a"); clearTimeout(b) }, 2); const b = setTimeout(() => seen.push("b"), 2); await new Promise((done) => setTimeout(done, 12)); return seen`,
    `const seen = []; setImmediate(() => seen.push("immediate")); await new Promise((done) => setTimeout(done, 10)); return seen`,
    `const timer = setTimeout(() => {}, 1); const known = [typeof timer, timer.ref() === timer, timer.unref() === timer, timer.hasRef(), timer.ref().hasRef()]; clearTimeout(timer); return known`,
    `setTimeout()`,
    `setTimeout("code", 1)`,
    `setInterval(null, 1)`,
    `queueMicrotask()`,
    `queueMicrotask("x")`,
    `[NaN, -1, Infinity, "5", null, 1e20].map((ms) => { const id = setTimeout(() => {}, ms); clearTimeout(id); return typeof id })`,
    `await new Promise((done) => setTimeout(done, "5", "v"))`,
    `const began = performance.now(); await new Promise((done) => setTimeout(done, 20)); const took = performance.now() - began; return [took >= 18, took < 5000]`,
  ]);
  expect(guest).toEqual(node);
});
