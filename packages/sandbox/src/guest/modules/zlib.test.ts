import { afterAll, beforeAll, test } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { openSandbox } from "../../sandbox.cases.ts";
import { expectAlike, thrown } from "./alike.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const beginning = `zlib = require("zlib"), text = Buffer.from("a\\0b, compressible ".repeat(50)), all = ["gzip:gunzip", "deflate:inflate", "deflateRaw:inflateRaw", "brotliCompress:brotliDecompress", "zstdCompress:zstdDecompress"].map((pair) => pair.split(":")), classOf = (name) => name[0].toUpperCase() + name.slice(1), through = async (stream, ...chunks) => { const seen = []; stream.on("data", (chunk) => seen.push(chunk)); for (const chunk of chunks) stream.write(chunk); stream.end(); await new Promise((done, fail) => stream.on("end", done).on("error", fail)); return Buffer.concat(seen) }`;
const alike = (snippets: readonly string[]): Promise<void> => expectAlike(sandbox, beginning, snippets);
const failed = (code: string): string =>
  `try { await (async () => { ${code} })(); return "nothing" } catch (error) { return [error.name, error.code, error.errno, error.message] }`;

test("zlib returns the bytes of Node's zlib", async () => {
  await alike([
    `all.map(([to]) => zlib[to + "Sync"](text).toString("hex"))`,
    `all.map(([to, from]) => zlib[from + "Sync"](zlib[to + "Sync"](text)).equals(text))`,
    `all.map(([to]) => zlib[to + "Sync"]("").toString("hex"))`,
    `[0, 1, 6, 9].map((level) => zlib.gzipSync(text, { level }).toString("hex"))`,
    `zlib.deflateSync(text, { windowBits: 9, memLevel: 1, strategy: zlib.constants.Z_HUFFMAN_ONLY }).toString("hex")`,
    `const dictionary = Buffer.from("compressible"); const small = zlib.deflateSync(text, { dictionary }); return [small.toString("hex"), zlib.inflateSync(small, { dictionary }).equals(text)]`,
    `zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT } }).toString("hex")`,
    `zlib.unzipSync(zlib.gzipSync(text)).equals(zlib.unzipSync(zlib.deflateSync(text)))`,
    `zlib.gunzipSync(Buffer.concat([zlib.gzipSync("a"), zlib.gzipSync("b")])).toString()`,
    `zlib.gunzipSync(zlib.gzipSync(text).subarray(0, -9), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).length`,
    `["é", new Uint16Array([1, 2]), new DataView(new ArrayBuffer(3)), new ArrayBuffer(2)].map((data) => zlib.gzipSync(data).toString("hex"))`,
    `const { buffer, engine } = zlib.gzipSync("a", { info: true }); return [buffer.length, engine instanceof zlib.Gzip]`,
    `[zlib.crc32("hello"), zlib.crc32(Buffer.from("lo"), zlib.crc32("hel"))]`,
    `Promise.all(all.map(async ([to, from]) => { const { promisify } = require("util"); return (await promisify(zlib[from])(await promisify(zlib[to])(text))).equals(text) }))`,
    `await new Promise((done) => zlib.gzip(text, { level: 1 }, (error, bytes) => done([error, bytes.toString("hex")])))`,
    `let late = false; const done = new Promise((go) => zlib.gzip("", () => go(late))); late = true; return done`,
    `Object.keys(zlib).filter((name) => !["Zip", "ZlibBase"].includes(name)).sort()`,
    `zlib.constants`,
    `const { _handle } = zlib.createInflate(); return [typeof _handle.constructor, Object.keys(_handle)]`,
    `[zlib.Z_BEST_SPEED, zlib.codes.Z_DATA_ERROR, zlib.codes["-3"]]`,
  ]);
});

test("zlib refuses the same input as Node", async () => {
  await alike([
    `all.map(([, from]) => { try { zlib[from + "Sync"](Buffer.from("no such data")); return "nothing" } catch (error) { return [error.name, error.code, error.errno, error.message] } })`,
    `all.map(([to, from]) => { try { zlib[from + "Sync"](zlib[to + "Sync"](text).subarray(0, -5)); return "nothing" } catch (error) { return [error.name, error.code, error.errno, error.message] } })`,
    `await new Promise((done) => zlib.gunzip("no such data", (error, bytes) => done([error.code, error.message, bytes])))`,
    failed(`zlib.gunzipSync(zlib.gzipSync(text), { maxOutputLength: 10 })`),
    failed(`zlib.inflateSync(zlib.deflateSync(text, { dictionary: Buffer.from("compressible") }))`),
    failed(
      `zlib.inflateSync(zlib.deflateSync(text, { dictionary: Buffer.from("compressible") }), { dictionary: Buffer.from("x") })`,
    ),
    failed(`zlib.gunzipSync(Buffer.alloc(0))`),
    thrown(`zlib.gzipSync()`),
    thrown(`zlib.gzipSync(5)`),
    thrown(`zlib.gzip("a")`),
    thrown(`zlib.gzip(5, () => {})`),
    thrown(`zlib.gzipSync("a", { level: 10 })`),
    thrown(`zlib.gzipSync("a", { level: "x" })`),
    thrown(`zlib.createGzip({ windowBits: 5 })`),
    thrown(`zlib.createGzip({ dictionary: 5 })`),
    thrown(`zlib.crc32(5)`),
  ]);
});

test("zlib's streams behave as in Node", async () => {
  await alike([
    `Promise.all(all.map(async ([to, from]) => (await through(zlib["create" + classOf(from)](), await through(zlib["create" + classOf(to)](), text, "é"))).toString("hex")))`,
    `Promise.all(all.slice(0, 4).map(async ([to]) => (await through(zlib["create" + classOf(to)](), text)).equals(zlib[to + "Sync"](text))))`,
    `(await through(zlib.createUnzip(), zlib.gzipSync("abc"))).toString()`,
    `const { Readable, pipeline, Writable } = require("stream"); let seen = ""; await new Promise((done, fail) => pipeline(Readable.from([zlib.gzipSync(text)]), zlib.createGunzip(), new Writable({ write(chunk, _, next) { seen += chunk; next() } }), (error) => error ? fail(error) : done())); return seen`,
    `const stream = zlib.createGunzip(); const piece = zlib.gzipSync(text); stream.write(piece.subarray(0, 5)); stream.end(piece.subarray(5)); const seen = []; for await (const chunk of stream) seen.push(chunk); return Buffer.concat(seen).equals(text)`,
    `(await through(zlib.createGzip(), Buffer.alloc(100000, "x"))).equals(zlib.gzipSync(Buffer.alloc(100000, "x")))`,
    `const sizes = []; const stream = zlib.createGunzip(); stream.on("data", (chunk) => sizes.push(chunk.length)); stream.end(zlib.gzipSync(Buffer.alloc(40000))); await new Promise((done) => stream.on("end", done)); return sizes.reduce((a, b) => a + b)`,
    failed(`await through(zlib.createGunzip(), "no such data")`),
    failed(`await through(zlib.createGunzip(), zlib.gzipSync(text).subarray(0, -3))`),
    `[zlib.createGzip() instanceof zlib.Gzip, new zlib.Gunzip() instanceof require("stream").Transform, zlib.createGzip().constructor.name]`,
    `const stream = zlib.createGzip(); await new Promise((done) => { stream.on("close", done); stream.close() }); return stream.destroyed`,
    `const stream = zlib.createGzip(); stream.write("a"); await new Promise((done) => stream.flush(done)); stream.end(); const seen = []; for await (const chunk of stream) seen.push(chunk); return zlib.gunzipSync(Buffer.concat(seen)).toString()`,
  ]);
});

test("the streams of the Compression standard behave as in Node", async () => {
  const run = `const pass = async (stream, ...chunks) => Buffer.from(await new Response(new Blob(chunks).stream().pipeThrough(stream)).arrayBuffer());`;
  await alike([
    `${run} return Promise.all(["gzip", "deflate", "deflate-raw"].map(async (format) => (await pass(new DecompressionStream(format), await pass(new CompressionStream(format), text))).equals(text)))`,
    `${run} return zlib.gunzipSync(await pass(new CompressionStream("gzip"), "abc")).toString()`,
    `${run} try { await pass(new DecompressionStream("gzip"), "no such data") } catch (error) { return [error.name, error.code] }`,
    `const stream = new CompressionStream("gzip"); return [stream.readable instanceof ReadableStream, stream.writable instanceof WritableStream, Object.prototype.toString.call(stream)]`,
    `new CompressionStream("nope")`,
    `new DecompressionStream()`,
  ]);
});
