import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("AbortController and AbortSignal behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const { signal } = new AbortController(); return [signal.aborted, signal.reason, signal.onabort]`,
    `const stop = new AbortController(); stop.abort(); return [stop.signal.aborted, stop.signal.reason.name, stop.signal.reason.code, stop.signal.reason.message]`,
    `const stop = new AbortController(); stop.abort("why"); stop.abort("again"); return stop.signal.reason`,
    `const stop = new AbortController(); stop.abort(null); return stop.signal.reason`,
    `const stop = new AbortController(); const seen = []; stop.signal.addEventListener("abort", (event) => seen.push(event.type, event.target === stop.signal)); stop.signal.onabort = () => seen.push("on"); stop.abort(); stop.abort(); return seen`,
    `const stop = new AbortController(); const seen = []; const listener = () => seen.push(1); stop.signal.addEventListener("abort", listener); stop.signal.addEventListener("abort", listener); stop.abort(); return seen`,
    `const stop = new AbortController(); const seen = []; const listener = () => seen.push(1); stop.signal.addEventListener("abort", listener); stop.signal.removeEventListener("abort", listener); stop.abort(); return seen`,
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

test("Event, EventTarget and DOMException behave as in Node", async () => {
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

test("Event, CustomEvent, EventTarget and DOMException behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const event = new Event("a", { bubbles: true, cancelable: true, composed: true }); return [event.type, event.bubbles, event.cancelable, event.composed, event.defaultPrevented, event.returnValue, event.eventPhase, event.isTrusted, event.target, event.currentTarget, event.srcElement, event.cancelBubble, event.composedPath(), typeof event.timeStamp]`,
    `new Event()`,
    `new Event("a", "b")`,
    `new Event("a", null).type`,
    `[Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE]`,
    `const event = new CustomEvent("a", { detail: { x: 1 } }); return [event.detail, event instanceof Event, new CustomEvent("b").detail]`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", function (event) { seen.push(this === target, event.target === target, event.currentTarget === target, event.eventPhase, event.composedPath().length) }); const event = new Event("a"); return [target.dispatchEvent(event), seen, event.currentTarget, event.eventPhase, event.target === target]`,
    `const target = new EventTarget(); const seen = []; const listener = () => seen.push("x"); target.addEventListener("a", listener); target.addEventListener("a", listener); target.addEventListener("a", listener, true); target.dispatchEvent(new Event("a")); target.removeEventListener("a", listener); target.dispatchEvent(new Event("a")); return seen.length`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", { handleEvent(event) { seen.push(event.type) } }); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", () => { seen.push(1); target.removeEventListener("a", second) }); const second = () => seen.push(2); target.addEventListener("a", second); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", () => seen.push(1), { once: true }); target.dispatchEvent(new Event("a")); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const stop = new AbortController(); const seen = []; target.addEventListener("a", () => seen.push(1), { signal: stop.signal }); stop.abort(); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); const event = new Event("a", { cancelable: true }); target.addEventListener("a", (given) => given.preventDefault(), { passive: true }); return [target.dispatchEvent(event), event.defaultPrevented]`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", (event) => { seen.push(1); event.stopImmediatePropagation() }); target.addEventListener("a", () => seen.push(2)); target.dispatchEvent(new Event("a")); return seen`,
    `new EventTarget().addEventListener("a")`,
    `new EventTarget().addEventListener("a", 5)`,
    `new EventTarget().addEventListener("a", null)`,
    `new EventTarget().addEventListener("a", () => 1, { signal: {} })`,
    `new EventTarget().dispatchEvent({ type: "a" })`,
    `const error = new DOMException("m", "AbortError"); return [error.name, error.message, error.code, error instanceof Error, Object.prototype.toString.call(error), DOMException.ABORT_ERR, error.DATA_CLONE_ERR]`,
    `["IndexSizeError", "NotFoundError", "InUseAttributeError", "URLMismatchError", "TimeoutError", "DataCloneError", "ValidationError", "Nope"].map((name) => new DOMException("", name).code)`,
    `const error = new DOMException("m", { name: "DataError", cause: 5 }); return [error.name, error.cause, error.code]`,
    `const stop = new AbortController(); const joined = AbortSignal.any([stop.signal, AbortSignal.any([new AbortController().signal])]); const seen = []; joined.onabort = ({ type }) => seen.push(type, joined.reason); stop.abort("why"); return [joined.aborted, seen]`,
    `const joined = AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]); return [joined.aborted, joined.reason]`,
    `AbortSignal.any([{}])`,
    `AbortSignal.any([]).aborted`,
    `AbortSignal.timeout(-1)`,
    `AbortSignal.timeout()`,
    `AbortSignal.timeout("5")`,
    `const signal = AbortSignal.timeout(1); await new Promise((resolve) => signal.addEventListener("abort", resolve)); return [signal.reason.name, signal.reason.message, signal.reason.code]`,
    `const signal = new AbortController().signal; signal.aborted = true; return signal.aborted`,
    `new AbortSignal()`,
  ]);
  expect(guest).toEqual(node);
});

test("a listener's exception does not reach the dispatcher or stop other listeners, and fails the run", async () => {
  const { emits, outcome } = await tryComponent(
    sandbox,
    runBody(`
      const target = new EventTarget();
      target.addEventListener("a", () => { throw new RangeError("from a listener") });
      target.addEventListener("a", () => { this.$emit("second") });
      this.$emit(target.dispatchEvent(new Event("a")));
      await new Promise(() => undefined);`),
  );
  expect(emits.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual(["second", true]);
  expect(outcome.error).toMatchObject({ name: "RangeError", message: "from a listener" });
});

test("a listener added during a dispatch receives the next event only, as the standard says", async () => {
  const { stale, guest, node } = await compare(
    sandbox,
    [],
    [
      {
        snippet: `const target = new EventTarget(); const seen = []; const second = () => seen.push(2); target.addEventListener("a", () => { seen.push(1); target.addEventListener("a", () => seen.push(3)); target.removeEventListener("a", second) }); target.addEventListener("a", second); target.dispatchEvent(new Event("a")); return seen`,
        guest: [1],
        reason: "Node walks a live list",
      },
    ],
  );
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});
