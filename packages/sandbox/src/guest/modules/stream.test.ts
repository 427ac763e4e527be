import { test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode } = tryBuiltins();

const upper = `new Transform({ transform(chunk, encoding, done) { done(null, String(chunk).toUpperCase()) } })`;
const all = `const s = require("stream"); const { Readable, Writable, Transform, PassThrough, Duplex, pipeline, finished } = s;`;

test("node:stream behaves as in Node", async () => {
  await sameAsNode([
    `${all} return [typeof s, s.Stream === s, s.prototype.constructor === s, new Readable() instanceof s, new Transform() instanceof Duplex, new Writable() instanceof require("events")]`,
    `${all} return await Readable.from(["a", "b"]).toArray()`,
    `${all} const seen = []; await s.promises.pipeline(Readable.from(["a", "b"]), ${upper}, new Writable({ write(chunk, encoding, done) { seen.push(String(chunk)); done() } })); return seen`,
    `${all} return await new Promise((go) => pipeline(Readable.from(["a"]), ${upper}, new PassThrough({ objectMode: true }), (error) => go(error === undefined || error === null)))`,
    `${all} const bad = new Transform({ transform(chunk, encoding, done) { done(new Error("bad")) } }); return await s.promises.pipeline(Readable.from(["a"]), bad, new PassThrough()).catch((error) => error.message)`,
    `${all} const { inherits } = require("util"); function Up(options) { if (!(this instanceof Up)) return new Up(options); Transform.call(this, options) } inherits(Up, Transform); Up.prototype._transform = function (chunk, encoding, done) { this.push(String(chunk).toUpperCase()); done() }; const up = Up(); up.end("abc"); return [String(await up.toArray()), up instanceof Transform]`,
    `${all} const { inherits } = require("util"); function Old() { s.call(this); } inherits(Old, s); const old = new Old(); const seen = []; old.on("data", (d) => seen.push(d)); old.emit("data", 1); return seen`,
    `${all} class Counter extends Readable { n = 0; _read() { this.push(this.n < 3 ? String(this.n++) : null) } } let text = ""; for await (const chunk of new Counter()) text += chunk; return text`,
    `${all} const through = new PassThrough(); through.write("a"); through.end("b"); let text = ""; through.setEncoding("utf8"); return await new Promise((go) => through.on("data", (d) => { text += d }).on("end", () => go(text)))`,
    `${all} const r = Readable.from(["a"]); r.resume(); return await s.promises.finished(r).then(() => r.readableEnded)`,
    `${all} const r = new Readable({ read() {} }); setTimeout(() => r.destroy(new Error("gone")), 1); return await s.promises.finished(r).catch((error) => [error.message, r.destroyed])`,
    `${all} const r = new Readable({ read() {} }); setTimeout(() => r.destroy(), 1); return await s.promises.finished(r).catch((error) => error.code)`,
    `${all} const w = new Writable({ highWaterMark: 3, write(chunk, encoding, done) { setTimeout(done, 1) } }); const first = w.write("abcd"); return await new Promise((go) => w.once("drain", () => go([first, w.writableLength, w.writableHighWaterMark])))`,
    `${all} const chunks = []; const w = new Writable({ writev(list, done) { chunks.push(list.map(({ chunk }) => String(chunk))); done() } }); w.cork(); w.write("a"); w.write("b"); w.uncork(); w.end(); await s.promises.finished(w); return chunks`,
    `${all} const d = Duplex.from(async function* (source) { for await (const chunk of source) yield String(chunk) + "!" }); d.end("a"); return await d.toArray()`,
    `${all} return await Readable.from([1, 2, 3, 4]).filter((n) => n % 2 === 0).map((n) => n * 10).toArray()`,
    `${all} const r = Readable.from(["x"]); const stop = new AbortController(); s.addAbortSignal(stop.signal, r); stop.abort(); return await s.promises.finished(r).catch((error) => error.name)`,
    `${all} new Writable().write(null)`,
    `${all} const w = new Writable({ write(c, e, d) { d() } }); w.on("error", () => {}); w.end(); return await new Promise((go) => w.write("late", (error) => go(error.code)))`,
    `${all} return [new Readable().readableHighWaterMark, new Readable({ objectMode: true }).readableHighWaterMark, s.getDefaultHighWaterMark(false)]`,
    `${all} const r = new Readable({ read() {} }); r.push("abc"); r.push(null); return [String(r.read(2)), String(r.read()), r.read()]`,
    `${all} const r = new Readable({ read() {} }); r.unshift(Buffer.from("b")); r.unshift(Buffer.from("a")); return String(r.read())`,
    `${all} const r = Readable.from(["a", "b"]); const out = new PassThrough(); r.pipe(out); let n = 0; for await (const c of out) n += c.length; return n`,
    `const { text, json, buffer, arrayBuffer } = require("stream/consumers"); const { Readable } = require("stream"); return [await text(Readable.from([Buffer.from([0xc3]), Buffer.from([0xa9])])), await json(Readable.from(['{"a":', "1}"])), await buffer(Readable.from(["x"])), await arrayBuffer(Readable.from([Buffer.from("y")]))]`,
    `const p = require("stream/promises"); return [p.pipeline === require("stream").promises.pipeline, typeof p.finished]`,
    `const { promisify } = require("util"); const { pipeline, PassThrough, Readable } = require("stream"); const out = new PassThrough(); await promisify(pipeline)(Readable.from(["q"]), out); return String(out.read())`,
  ]);
});

test("streams of Node and of the Web are converted as in Node", async () => {
  await sameAsNode([
    `${all} const web = Readable.toWeb(Readable.from([Buffer.from("a"), Buffer.from("b")], { objectMode: false })); const reader = web.getReader(); let text = ""; for (;;) { const { done, value } = await reader.read(); if (done) return [text, web instanceof ReadableStream]; text += new TextDecoder().decode(value) }`,
    `${all} const web = new ReadableStream({ start(c) { c.enqueue("x"); c.enqueue("y"); c.close() } }); return (await Readable.fromWeb(web, { objectMode: true }).toArray())`,
    `${all} const web = new ReadableStream({ pull(c) { c.error(new Error("broken")) } }); return await Readable.fromWeb(web).toArray().catch((error) => error.message)`,
    `${all} let cancelled = false; const web = new ReadableStream({ pull(c) { c.enqueue("x") }, cancel() { cancelled = true } }); const r = Readable.fromWeb(web); await require("events").once(r, "readable"); r.destroy(); await new Promise((go) => r.once("close", go)); return cancelled`,
    `${all} const seen = []; const w = Writable.fromWeb(new WritableStream({ write(chunk) { seen.push(String(chunk)) }, close() { seen.push("closed") } }), { decodeStrings: false }); w.write("a"); w.end("b"); await s.promises.finished(w); return seen`,
    `${all} const seen = []; const web = Writable.toWeb(new Writable({ objectMode: true, write(chunk, encoding, done) { seen.push(chunk); done() }, final(done) { seen.push("closed"); done() } })); const writer = web.getWriter(); await writer.write("a"); await writer.write("b"); await writer.close(); return seen`,
    `${all} const source = Readable.toWeb(Readable.from(["a"], { objectMode: true })); return await new Response(source.pipeThrough(new TransformStream({ transform(chunk, c) { c.enqueue(new TextEncoder().encode(chunk + "!")) } }))).text()`,
    `${all} const web = Readable.toWeb(new Readable({ read() { this.destroy(new Error("broken")) } })); return await web.getReader().read().catch((error) => error.message)`,
  ]);
});
