import { test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode } = tryBuiltins();

const tick = `await new Promise((go) => setTimeout(go, 5));`;

test("node:events behaves as in Node", async () => {
  await sameAsNode([
    `const events = require("events"); return [events === events.EventEmitter, typeof events.once, events.defaultMaxListeners, events.prototype.constructor === events]`,
    `const { EventEmitter } = require("node:events"); return require("events") === EventEmitter`,
    `const { EventEmitter } = require("events"); class X extends EventEmitter { constructor() { super(); this.a = 1 } } const x = new X(); const heard = []; x.on("a", (...args) => heard.push(args)); return [x.emit("a", 1, 2), x.emit("b"), heard, x.a, x instanceof EventEmitter, x.constructor.name]`,
    `const EventEmitter = require("events"); function X() { EventEmitter.call(this); } require("util").inherits(X, EventEmitter); const x = new X(); let got; x.once("a", function (v) { got = [v, this === x] }); x.emit("a", 7); return [got, x.emit("a"), X.super_ === EventEmitter]`,
    `const EventEmitter = require("events"); const x = Object.create(EventEmitter.prototype); x.on("a", () => {}); return x.eventNames()`,
    `const EventEmitter = require("events"); const x = Object.assign({}, EventEmitter.prototype); let n = 0; x.on("a", () => n++); x.emit("a"); return n`,
    `const e = new (require("events"))(); const seen = []; e.on("newListener", (name) => seen.push(name)); const f = () => {}; e.on("a", f); e.prependListener("a", () => {}); e.off("a", f); return [seen, e.listenerCount("a"), e.listeners("a").length, e.eventNames()]`,
    `const e = new (require("events"))(); try { e.emit("error", new RangeError("no")) } catch (error) { return [error.name, error.message] }`,
    `const e = new (require("events"))(); try { e.emit("error", "text") } catch (error) { return [error.name, error.code, error.message, error.context] }`,
    `const { EventEmitter, errorMonitor } = require("events"); const e = new EventEmitter(); const seen = []; e.on(errorMonitor, (error) => seen.push(error.message)); try { e.emit("error", new Error("m")) } catch { seen.push("thrown") } return seen`,
    `const { EventEmitter } = require("events"); const e = new EventEmitter({ captureRejections: true }); const seen = []; e.on("error", (error) => seen.push(error.message)); e.on("a", async () => { throw new Error("late") }); e.emit("a"); ${tick} return seen`,
    `const { EventEmitter, captureRejectionSymbol } = require("events"); const e = new EventEmitter({ captureRejections: true }); const seen = []; e[captureRejectionSymbol] = (error, name, ...args) => seen.push([error.message, name, args]); e.on("a", async () => { throw new Error("late") }); e.emit("a", 5); ${tick} return [seen, captureRejectionSymbol === Symbol.for("nodejs.rejection")]`,
    `const events = require("events"); const e = new events(); setTimeout(() => e.emit("a", 1, 2), 1); return await events.once(e, "a")`,
    `const events = require("events"); const e = new events(); setTimeout(() => e.emit("error", new Error("no")), 1); return await events.once(e, "a").catch((error) => [error.message, e.listenerCount("a")])`,
    `const events = require("events"); const e = new events(); return await events.once(e, "a", { signal: AbortSignal.abort() }).catch((error) => [error.name, error.code])`,
    `const events = require("events"); const e = new events(); const stop = new AbortController(); setTimeout(() => stop.abort(), 1); return await events.once(e, "a", { signal: stop.signal }).catch((error) => [error.name, error.code, e.listenerCount("a")])`,
    `const events = require("events"); const target = new EventTarget(); setTimeout(() => target.dispatchEvent(new Event("a")), 1); const [event] = await events.once(target, "a"); return event.type`,
    `const events = require("events"); const e = new events(); e.emit("early"); setTimeout(() => { e.emit("a", 1); e.emit("a", 2); e.emit("end") }, 1); const seen = []; for await (const args of events.on(e, "a", { close: ["end"] })) seen.push(args); return [seen, e.eventNames()]`,
    `const events = require("events"); const e = new events(); setTimeout(() => { e.emit("a", 1); e.emit("error", new Error("end")) }, 1); const seen = []; try { for await (const args of events.on(e, "a")) seen.push(args) } catch (error) { seen.push(error.message) } return seen`,
    `const events = require("events"); const e = new events(); const stop = new AbortController(); setTimeout(() => stop.abort(), 1); try { for await (const args of events.on(e, "a", { signal: stop.signal })); } catch (error) { return [error.name, e.listenerCount("a")] }`,
    `const events = require("events"); const e = new events(); const iterator = events.on(e, "a"); e.emit("a", 1); const first = await iterator.next(); await iterator.return(); return [first, await iterator.next(), e.listenerCount("a")]`,
    `const events = require("events"); const e = new events(); e.setMaxListeners(3); events.setMaxListeners(5, e); return [e.getMaxListeners(), events.getEventListeners(e, "a"), events.listenerCount(e, "a"), new events().getMaxListeners()]`,
    `const e = new (require("events"))(); e.on("a", 5)`,
    `const e = new (require("events"))(); const seen = []; e.on("removeListener", (name) => seen.push(name)); e.on("a", () => {}); e.once("b", () => {}); e.removeAllListeners("a"); e.emit("b"); return seen`,
    `const e = new (require("events"))(); e.once("a", function f() {}); return [e.rawListeners("a")[0].listener.name, e.listeners("a")[0].name]`,
    `Object.keys(require("events").prototype).includes("emit")`,
  ]);
});
