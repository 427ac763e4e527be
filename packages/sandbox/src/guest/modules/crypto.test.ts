import { afterAll, beforeAll, test } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { openSandbox } from "../../sandbox.cases.ts";
import { expectAlike, thrown } from "./alike.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const alike = (snippets: readonly string[]): Promise<void> =>
  expectAlike(sandbox, `crypto = require("crypto")`, snippets);

const texts = `["", "abc", "é\\u0000ü", "\\ud800x", "x".repeat(1000)]`;

test("digests behave as in Node", async () => {
  await alike([
    `crypto.getHashes().map((name) => { try { return [name, crypto.createHash(name).update("abc").digest("hex")] } catch (error) { return [name, error.code] } })`,
    `${texts}.map((text) => crypto.createHash("sha256").update(text).digest("base64"))`,
    `[undefined, "hex", "base64", "base64url", "latin1", "binary", "utf8", "ucs2", "ascii", "buffer", "nope"].map((encoding) => crypto.createHash("sha1").update("abc").digest(encoding))`,
    `[["616263", "hex"], ["YWJj", "base64"], ["__-_", "base64url"], ["\\xe9", "latin1"], ["é", "ucs2"], ["é", "ascii"], ["é", "nope"]].map(([text, encoding]) => crypto.createHash("md5").update(text, encoding).digest("hex"))`,
    `[new Uint8Array([1, 2, 3]), new Uint8Array([0, 1, 2, 3]).subarray(1), new Uint16Array([1, 2]), new DataView(new ArrayBuffer(3), 1), Buffer.from("x")].map((data) => crypto.createHash("sha1").update(data).digest("hex"))`,
    `const hash = crypto.createHash("sha1"); for (let i = 0; i < 300; i++) hash.update("piece " + i); return hash.digest("hex")`,
    `const bytes = Buffer.from("abc"); const hash = crypto.createHash("sha1").update(bytes); bytes[0] = 0; return hash.digest("hex")`,
    `const hash = crypto.createHash("sha1").update("a"); const copy = hash.copy(); copy.update("b"); return [hash.digest("hex"), copy.digest("hex")]`,
    `crypto.createHash("shake256", { outputLength: 5 }).update("a").digest("hex")`,
    `const hash = crypto.createHash("shake128", { outputLength: 5 }); return hash.copy({ outputLength: 7 }).digest("hex")`,
    `[crypto.createHash("sha1") instanceof crypto.Hash, crypto.createHash("sha1") instanceof require("stream").Transform, crypto.createHmac("sha1", "k") instanceof crypto.Hmac]`,
    `[crypto.hash("sha1", "abc"), crypto.hash("sha1", Buffer.from("abc"), "base64"), crypto.hash("md5", "abc", "buffer"), crypto.hash("sha256", "abc", { outputEncoding: "base64url" })]`,
    thrown(`crypto.createHash("nope")`),
    thrown(`crypto.createHash()`),
    thrown(`crypto.createHash("sha1").update()`),
    thrown(`crypto.createHash("sha1").update(5)`),
    thrown(`crypto.createHash("sha1").update({})`),
    thrown(`crypto.createHash("sha1").update(null)`),
    thrown(`crypto.createHash("sha1").update(() => 1)`),
    thrown(`crypto.createHash("sha1").update("abc", "hex")`),
    thrown(`const hash = crypto.createHash("sha1"); hash.digest(); hash.update("a")`),
    thrown(`const hash = crypto.createHash("sha1"); hash.digest(); hash.digest()`),
    thrown(`const hash = crypto.createHash("sha1"); hash.digest(); hash.copy()`),
    thrown(`crypto.hash("nope", "a")`),
    thrown(`crypto.hash("sha1")`),
  ]);
});

test("message authentication codes behave as in Node", async () => {
  await alike([
    `["md5", "sha1", "sha256", "sha512", "sha3-256", "RSA-SHA256"].map((name) => crypto.createHmac(name, "key").update("abc").digest("hex"))`,
    `${texts}.map((text) => crypto.createHmac("sha256", text).update(text).digest("hex"))`,
    `["hex", "base64", undefined].map((encoding) => crypto.createHmac("sha1", Buffer.from([0, 1])).update("6162", "hex").digest(encoding))`,
    `crypto.createHmac("sha1", crypto.createSecretKey("key", "utf8")).update("a").digest("hex")`,
    `const hmac = crypto.createHmac("sha1", "k"); return [hmac.digest("hex"), hmac.digest("hex"), hmac.digest()]`,
    thrown(`crypto.createHmac("nope", "k")`),
    thrown(`crypto.createHmac("sha1")`),
    thrown(`crypto.createHmac("sha1", 5)`),
    thrown(`crypto.createHmac(5, "k")`),
    thrown(`const hmac = crypto.createHmac("sha1", "k"); hmac.digest(); hmac.update("a")`),
    `crypto.timingSafeEqual(Buffer.from("abc"), new Uint8Array([97, 98, 99]))`,
    `crypto.timingSafeEqual(Buffer.from("abc"), Buffer.from("abd"))`,
    thrown(`crypto.timingSafeEqual(Buffer.from("ab"), Buffer.from("abc"))`),
    thrown(`crypto.timingSafeEqual("ab", Buffer.from("ab"))`),
    thrown(`crypto.timingSafeEqual(Buffer.from("ab"))`),
  ]);
});

test("hashes are streams, as in Node", async () => {
  const ended = `await new Promise((end) => stream.on("end", end).on("error", end));`;
  await alike([
    `const stream = crypto.createHash("sha256"); const seen = []; stream.on("data", (chunk) => seen.push(chunk.toString("hex"))); stream.write("a"); stream.write(Buffer.from("b")); stream.end("c"); ${ended} return seen`,
    `const stream = crypto.createHmac("sha1", "k"); stream.setEncoding("hex"); stream.end("abc"); await new Promise((go) => stream.once("readable", go)); return stream.read()`,
    `const { Readable, pipeline } = require("stream"); const hash = crypto.createHash("md5"); await new Promise((done, fail) => pipeline(Readable.from([Buffer.from("a"), Buffer.from("b")]), hash, (error) => error ? fail(error) : done())); return hash.read().toString("hex")`,
    `const { Readable } = require("stream"); const hash = crypto.createHash("md5"); Readable.from(["a", "b"]).pipe(hash); const seen = []; for await (const chunk of hash) seen.push(chunk.toString("base64")); return seen`,
    `const stream = crypto.createCipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16)); const seen = []; stream.on("data", (chunk) => seen.push(...chunk)); stream.write("a".repeat(20)); stream.end("b"); ${ended} return seen`,
    `const stream = crypto.createDecipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16)); stream.resume(); stream.end("abc"); return await new Promise((end) => stream.on("error", (error) => end(error.code)))`,
  ]);
});

test("keys are derived as in Node", async () => {
  const later = (call: string): string =>
    `await new Promise((done) => crypto.${call}, (error, key) => done([error, Buffer.from(key).toString("hex")])))`;
  await alike([
    `["sha1", "sha256", "sha512"].map((digest) => crypto.pbkdf2Sync("password", "salt", 10, 40, digest).toString("hex"))`,
    `crypto.pbkdf2Sync(Buffer.from([0, 255]), new Uint8Array([1]), 1, 0, "sha1").length`,
    later(`pbkdf2("p", "s", 2, 20, "sha256"`),
    `crypto.scryptSync("p", "s", 32).toString("hex")`,
    `crypto.scryptSync("p", "s", 8, { N: 16, r: 1, p: 2 }).toString("hex")`,
    `crypto.scryptSync("p", "s", 8, { cost: 16, blockSize: 1, parallelization: 2 }).toString("hex")`,
    later(`scrypt("p", "s", 16, { N: 16 }`),
    later(`scrypt("p", "s", 16`),
    `Buffer.from(crypto.hkdfSync("sha256", "key", "salt", "info", 42)).toString("hex")`,
    `crypto.hkdfSync("sha256", "key", "", "", 4) instanceof ArrayBuffer`,
    later(`hkdf("sha512", "key", "salt", "info", 8`),
    thrown(`crypto.pbkdf2Sync("p", "s", 0, 8, "sha1")`),
    thrown(`crypto.pbkdf2Sync("p", "s", 1, -1, "sha1")`),
    thrown(`crypto.pbkdf2Sync("p", "s", 1, 8, "nope")`),
    thrown(`crypto.pbkdf2Sync("p", "s", 1, 8)`),
    thrown(`crypto.pbkdf2Sync(1, "s", 1, 8, "sha1")`),
    thrown(`crypto.pbkdf2("p", "s", 1, 8, "sha1")`),
    thrown(`crypto.scryptSync("p", "s", 8, { N: 15 })`),
    thrown(`crypto.scryptSync("p", "s", 8, { N: 2 ** 18 })`),
    thrown(`crypto.hkdfSync("sha256", "key", "salt", "info", 255 * 32 + 1)`),
    thrown(`crypto.hkdfSync("nope", "key", "salt", "info", 8)`),
  ]);
});

test("random values have the form of Node's", async () => {
  await alike([
    `[0, 1, 65536, 200000].map((size) => crypto.randomBytes(size).length)`,
    `crypto.randomBytes(200000).subarray(150000).some((byte) => byte !== 0)`,
    `await new Promise((done) => crypto.randomBytes(5, (error, bytes) => done([error, Buffer.isBuffer(bytes), bytes.length])))`,
    `let late = false; const done = new Promise((go) => crypto.randomBytes(1, () => go(late))); late = true; return done`,
    `const seen = new Set(Array.from({ length: 300 }, () => crypto.randomInt(3))); return [...seen].sort()`,
    `const seen = new Set(Array.from({ length: 300 }, () => crypto.randomInt(-2, 1))); return [...seen].sort()`,
    `await new Promise((done) => crypto.randomInt(5, 6, (error, value) => done([error, value])))`,
    `/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())`,
    `const target = new Uint8Array(8); return [crypto.randomFillSync(target) === target, crypto.randomFillSync(new Uint8Array(8), 4).subarray(0, 4)]`,
    `const target = new Uint16Array(40); crypto.randomFillSync(target, 20, 10); return [target.subarray(0, 20).every((value) => value === 0), target.subarray(20, 30).some((value) => value !== 0), target.subarray(30).every((value) => value === 0)]`,
    `await new Promise((done) => crypto.randomFill(new Uint8Array(3), (error, bytes) => done([error, bytes.length])))`,
    thrown(`crypto.randomBytes("5")`),
    thrown(`crypto.randomBytes(-1)`),
    thrown(`crypto.randomBytes(2 ** 31)`),
    thrown(`crypto.randomBytes(5, 5)`),
    thrown(`crypto.randomInt(0)`),
    thrown(`crypto.randomInt(5, 5)`),
    thrown(`crypto.randomInt(2 ** 48)`),
    thrown(`crypto.randomInt("5")`),
    thrown(`crypto.randomFillSync(new Uint8Array(3), 4)`),
    thrown(`crypto.randomFillSync("abc")`),
    `Object.keys(crypto.getCiphers()).length > 20 && crypto.getCurves().includes("prime256v1")`,
    `[crypto.webcrypto === globalThis.crypto, crypto.getRandomValues(new Uint8Array(2)).length, crypto.constants.RSA_PKCS1_PSS_PADDING]`,
  ]);
});
