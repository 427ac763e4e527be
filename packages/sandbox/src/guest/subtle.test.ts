import { webcrypto } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { expectAlike, rejected } from "./modules/alike.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const beginning = `subtle = crypto.subtle, text = new TextEncoder(), data = text.encode("a\\0b"), hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join(""), facts = ({ type, algorithm, extractable, usages }) => ({ type, algorithm, extractable, usages }), raw = new Uint8Array(32).fill(7), iv = new Uint8Array(16).fill(2), secret = (name, uses, more) => subtle.importKey("raw", raw, { name, ...more }, true, uses)`;
const alike = (snippets: readonly string[]): Promise<void> => expectAlike(sandbox, beginning, snippets);

test("crypto.subtle digests and authenticates as in Node", async () => {
  await alike([
    `Promise.all(["SHA-1", "sha-256", "SHA-384", { name: "SHA-512" }].map(async (name) => hex(await subtle.digest(name, data))))`,
    `(await subtle.digest("SHA-1", data)) instanceof ArrayBuffer`,
    `hex(await subtle.digest("SHA-1", new Uint16Array([1, 2]).subarray(1)))`,
    `const key = await secret("HMAC", ["sign", "verify"], { hash: "SHA-256" }); return [facts(key), hex(await subtle.sign("HMAC", key, data)), await subtle.verify("HMAC", key, await subtle.sign("hmac", key, data), data), await subtle.verify("HMAC", key, iv, data)]`,
    `const key = await secret("HMAC", ["sign"], { hash: { name: "SHA-1" } }); return await subtle.exportKey("jwk", key)`,
    `const key = await subtle.importKey("jwk", { kty: "oct", k: "AQID", alg: "HS512", key_ops: ["sign"] }, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]); return [facts(key), hex(await subtle.sign("HMAC", key, data))]`,
    `const key = await secret("HMAC", ["sign"], { hash: "SHA-1" }); return [Object.prototype.toString.call(key), key instanceof CryptoKey, Object.keys(key)]`,
    `[crypto, crypto.subtle].map((each) => Object.prototype.toString.call(each))`,
    rejected(`subtle.digest("MD5", data)`),
    rejected(`subtle.digest("SHA-1", "text")`),
    rejected(`subtle.digest()`),
    rejected(`secret("HMAC", [], { hash: "SHA-1" })`),
    rejected(`secret("HMAC", ["encrypt"], { hash: "SHA-1" })`),
    rejected(`secret("HMAC", ["nope"], { hash: "SHA-1" })`),
    rejected(`secret("HMAC", ["sign"])`),
    rejected(`secret("HMAC", ["sign"], { hash: "MD5" })`),
    rejected(`secret("NOPE", ["sign"])`),
    rejected(`subtle.importKey("raw", new Uint8Array(0), { name: "HMAC", hash: "SHA-1" }, true, ["sign"])`),
    rejected(`subtle.importKey("jwk", { kty: "RSA", k: "AQID" }, { name: "HMAC", hash: "SHA-512" }, false, ["sign"])`),
    rejected(
      `subtle.importKey("jwk", { kty: "oct", k: "AQID", alg: "HS256" }, { name: "HMAC", hash: "SHA-512" }, false, ["sign"])`,
    ),
    rejected(
      `subtle.importKey("jwk", { kty: "oct", k: "AQID", ext: false }, { name: "HMAC", hash: "SHA-512" }, true, ["sign"])`,
    ),
    rejected(`subtle.importKey("spki", raw, { name: "HMAC", hash: "SHA-512" }, true, ["sign"])`),
    rejected(
      `subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]).then((key) => subtle.exportKey("raw", key))`,
    ),
    rejected(`secret("HMAC", ["verify"], { hash: "SHA-1" }).then((key) => subtle.sign("HMAC", key, data))`),
    rejected(`secret("HMAC", ["sign"], { hash: "SHA-1" }).then((key) => subtle.sign("ECDSA", key, data))`),
    rejected(`subtle.sign("HMAC", {}, data)`),
    rejected(`Promise.resolve().then(() => new CryptoKey())`),
  ]);
});

test("crypto.subtle encrypts as in Node", async () => {
  const uses = `["encrypt", "decrypt", "wrapKey", "unwrapKey"]`;
  await alike([
    `const key = await secret("AES-GCM", ${uses}); return [facts(key), hex(await subtle.encrypt({ name: "AES-GCM", iv }, key, data)), hex(await subtle.encrypt({ name: "AES-GCM", iv: iv.slice(4), additionalData: data, tagLength: 96 }, key, data))]`,
    `const key = await secret("AES-GCM", ${uses}); const algorithm = { name: "AES-GCM", iv, additionalData: data }; return hex(await subtle.decrypt(algorithm, key, await subtle.encrypt(algorithm, key, data)))`,
    `const key = await secret("AES-CBC", ${uses}); const box = await subtle.encrypt({ name: "AES-CBC", iv }, key, data); return [hex(box), hex(await subtle.decrypt({ name: "AES-CBC", iv }, key, box))]`,
    `const key = await secret("AES-CTR", ${uses}); return Promise.all([1, 5, 64, 128].map(async (length) => hex(await subtle.encrypt({ name: "AES-CTR", counter: iv, length }, key, data))))`,
    `const key = await secret("AES-CTR", ${uses}); return hex(await subtle.encrypt({ name: "AES-CTR", counter: new Uint8Array(16).fill(255), length: 8 }, key, new Uint8Array(50)))`,
    `const key = await secret("AES-KW", ["wrapKey", "unwrapKey"]); const inner = await secret("AES-GCM", ["encrypt"]); const wrapped = await subtle.wrapKey("raw", inner, key, "AES-KW"); const back = await subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", true, ["decrypt"]); return [hex(wrapped), facts(back), hex(await subtle.exportKey("raw", back))]`,
    `const key = await secret("AES-GCM", ${uses}); const inner = await secret("HMAC", ["sign"], { hash: "SHA-1" }); const wrapped = await subtle.wrapKey("jwk", inner, key, { name: "AES-GCM", iv }); const back = await subtle.unwrapKey("jwk", wrapped, key, { name: "AES-GCM", iv }, { name: "HMAC", hash: "SHA-1" }, true, ["sign"]); return hex(await subtle.exportKey("raw", back))`,
    `const key = await secret("AES-CBC", ["encrypt"]); return await subtle.exportKey("jwk", key)`,
    rejected(
      `secret("AES-GCM", ["decrypt"]).then((key) => subtle.decrypt({ name: "AES-GCM", iv }, key, new Uint8Array(40)))`,
    ),
    rejected(`secret("AES-GCM", ["decrypt"]).then((key) => subtle.decrypt({ name: "AES-GCM", iv }, key, data))`),
    rejected(
      `secret("AES-GCM", ["encrypt"]).then((key) => subtle.encrypt({ name: "AES-GCM", iv, tagLength: 5 }, key, data))`,
    ),
    rejected(
      `secret("AES-CBC", ["decrypt"]).then((key) => subtle.decrypt({ name: "AES-CBC", iv }, key, new Uint8Array(16)))`,
    ),
    rejected(`secret("AES-CBC", ["encrypt"]).then((key) => subtle.encrypt({ name: "AES-CBC", iv: data }, key, data))`),
    rejected(
      `secret("AES-CTR", ["encrypt"]).then((key) => subtle.encrypt({ name: "AES-CTR", counter: iv, length: 0 }, key, data))`,
    ),
    rejected(
      `secret("AES-CTR", ["encrypt"]).then((key) => subtle.encrypt({ name: "AES-CTR", counter: iv, length: 1 }, key, new Uint8Array(50)))`,
    ),
    rejected(`subtle.importKey("raw", data, "AES-GCM", true, ["encrypt"])`),
    rejected(`secret("AES-GCM", ["encrypt"]).then((key) => subtle.decrypt({ name: "AES-GCM", iv }, key, data))`),
    rejected(`subtle.generateKey({ name: "AES-GCM", length: 5 }, true, ["encrypt"])`),
  ]);
});

test("crypto.subtle derives keys as in Node", async () => {
  await alike([
    `const key = await subtle.importKey("raw", data, "PBKDF2", false, ["deriveBits", "deriveKey"]); const algorithm = { name: "PBKDF2", salt: iv, iterations: 10, hash: "SHA-256" }; return [facts(key), hex(await subtle.deriveBits(algorithm, key, 320)), hex(await subtle.exportKey("raw", await subtle.deriveKey(algorithm, key, { name: "AES-GCM", length: 256 }, true, ["encrypt"])))]`,
    `const key = await subtle.importKey("raw", data, "HKDF", false, ["deriveBits", "deriveKey"]); const algorithm = { name: "HKDF", salt: iv, info: data, hash: "SHA-512" }; return [hex(await subtle.deriveBits(algorithm, key, 128)), hex(await subtle.exportKey("raw", await subtle.deriveKey(algorithm, key, { name: "HMAC", hash: "SHA-256" }, true, ["sign"])))]`,
    `const [a, b] = await Promise.all([1, 2].map(() => subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]))); const bits = (own, other, length) => subtle.deriveBits({ name: "ECDH", public: other.publicKey }, own.privateKey, length); return [hex(await bits(a, b, 256)) === hex(await bits(b, a, 256)), (await bits(a, b, null)).byteLength, facts(a.publicKey), facts(a.privateKey)]`,
    `const [a, b] = await Promise.all([1, 2].map(() => subtle.generateKey("X25519", true, ["deriveBits"]))); const bits = (own, other) => subtle.deriveBits({ name: "X25519", public: other.publicKey }, own.privateKey, 256); return hex(await bits(a, b)) === hex(await bits(b, a))`,
    rejected(`subtle.importKey("raw", data, "PBKDF2", true, ["deriveBits"])`),
    rejected(
      `subtle.importKey("raw", data, "PBKDF2", false, ["deriveBits"]).then((key) => subtle.deriveBits({ name: "PBKDF2", salt: iv, iterations: 0, hash: "SHA-256" }, key, 8))`,
    ),
    rejected(
      `subtle.importKey("raw", data, "PBKDF2", false, ["deriveBits"]).then((key) => subtle.deriveBits({ name: "PBKDF2", salt: iv, iterations: 1, hash: "SHA-256" }, key, 5))`,
    ),
    rejected(
      `subtle.importKey("raw", data, "PBKDF2", false, ["deriveBits"]).then((key) => subtle.deriveBits({ name: "PBKDF2", salt: iv, iterations: 1, hash: "SHA-256" }, key, null))`,
    ),
    rejected(
      `subtle.importKey("raw", data, "HKDF", false, ["deriveKey"]).then((key) => subtle.deriveBits({ name: "HKDF", salt: iv, info: data, hash: "SHA-256" }, key, 8))`,
    ),
  ]);
});

test("crypto.subtle handles key pairs as in Node", async () => {
  await alike([
    `const { publicKey, privateKey } = await subtle.generateKey({ name: "RSASSA-PKCS1-v1_5", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, true, ["sign", "verify"]); const signature = await subtle.sign("RSASSA-PKCS1-v1_5", privateKey, data); return [facts(publicKey), facts(privateKey), signature.byteLength, await subtle.verify("RSASSA-PKCS1-v1_5", publicKey, signature, data), await subtle.verify("RSASSA-PKCS1-v1_5", publicKey, signature, iv)]`,
    `const { publicKey, privateKey } = await subtle.generateKey({ name: "RSA-PSS", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-1" }, true, ["sign", "verify"]); const algorithm = { name: "RSA-PSS", saltLength: 20 }; return await subtle.verify(algorithm, publicKey, await subtle.sign(algorithm, privateKey, data), data)`,
    `const { publicKey, privateKey } = await subtle.generateKey({ name: "RSA-OAEP", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-1" }, true, ["encrypt", "decrypt"]); const algorithm = { name: "RSA-OAEP", label: data }; return [hex(await subtle.decrypt(algorithm, privateKey, await subtle.encrypt(algorithm, publicKey, data))), Object.keys(await subtle.exportKey("jwk", publicKey)).sort()]`,
    `const { publicKey, privateKey } = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, false, ["sign", "verify"]); const algorithm = { name: "ECDSA", hash: "SHA-384" }; const signature = await subtle.sign(algorithm, privateKey, data); return [facts(publicKey), facts(privateKey), signature.byteLength, await subtle.verify(algorithm, publicKey, signature, data)]`,
    `const { publicKey, privateKey } = await subtle.generateKey("Ed25519", true, ["sign", "verify"]); return [facts(publicKey), await subtle.verify("Ed25519", publicKey, await subtle.sign("Ed25519", privateKey, data), data), (await subtle.exportKey("raw", publicKey)).byteLength]`,
    `const { publicKey } = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); const point = await subtle.exportKey("raw", publicKey); const back = await subtle.importKey("raw", point, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]); return [point.byteLength, hex(await subtle.exportKey("spki", back)) === hex(await subtle.exportKey("spki", publicKey))]`,
    `const { privateKey } = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); const jwk = await subtle.exportKey("jwk", privateKey); const back = await subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]); return [Object.keys(jwk).sort(), jwk.key_ops, hex(await subtle.exportKey("pkcs8", back)) === hex(await subtle.exportKey("pkcs8", privateKey))]`,
    rejected(`subtle.generateKey({ name: "ECDSA", namedCurve: "P-1" }, true, ["sign"])`),
    rejected(`subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [])`),
    rejected(`subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["encrypt"])`),
    rejected(`subtle.importKey("spki", data, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"])`),
    rejected(`subtle.importKey("raw", data, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"])`),
    rejected(
      `subtle.generateKey("Ed25519", true, ["sign"]).then(({ privateKey }) => subtle.exportKey("spki", privateKey))`,
    ),
    rejected(`subtle.generateKey("PBKDF2", true, ["deriveBits"])`),
  ]);
});

test("the sandbox verifies signatures of Node", async () => {
  const { subtle } = webcrypto;
  const data = new TextEncoder().encode("a\0b");
  const algorithms = [
    { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
    { name: "Ed25519" },
    {
      name: "RSA-PSS",
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
      saltLength: 32,
    },
  ];
  const snippets = await Promise.all(
    algorithms.map(async (algorithm) => {
      const { publicKey, privateKey } = (await subtle.generateKey(algorithm, true, [
        "sign",
        "verify",
      ])) as CryptoKeyPair;
      const signature = Buffer.from(await subtle.sign(algorithm, privateKey, data)).toString("base64");
      const jwk = JSON.stringify(await subtle.exportKey("jwk", publicKey));
      const { publicExponent: _, ...plain } = algorithm;
      return `const algorithm = ${JSON.stringify(plain)}; const key = await subtle.importKey("jwk", ${jwk}, algorithm, true, ["verify"]); return subtle.verify(algorithm, key, Buffer.from("${signature}", "base64"), data)`;
    }),
  );
  expect(snippets).toHaveLength(3);
  await alike(snippets);
});

type CryptoKeyPair = { publicKey: webcrypto.CryptoKey; privateKey: webcrypto.CryptoKey };
