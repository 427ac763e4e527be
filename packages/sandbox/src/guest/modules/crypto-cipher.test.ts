import { afterAll, beforeAll, test } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { openSandbox } from "../../sandbox.cases.ts";
import { expectAlike, thrown } from "./alike.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const beginning = `crypto = require("crypto"), key = Buffer.alloc(32, 1), iv = Buffer.alloc(16, 2), nonce = Buffer.alloc(12, 3), plain = Buffer.from("a\\0b".repeat(11)), both = (cipher, data) => Buffer.concat([cipher.update(data), cipher.final()])`;
const alike = (snippets: readonly string[]): Promise<void> => expectAlike(sandbox, beginning, snippets);

const sealed = `const cipher = crypto.createCipheriv("aes-256-gcm", key, nonce); cipher.setAAD(Buffer.from("head")); const text = both(cipher, plain); const tag = cipher.getAuthTag();`;

test("ciphers behave as in Node", async () => {
  await alike([
    `crypto.getCiphers().filter((name) => /(cbc|ctr|ecb|gcm|cfb|ofb)$/.test(name)).map((name) => { const { keyLength, ivLength } = crypto.getCipherInfo(name); return [name, both(crypto.createCipheriv(name, Buffer.alloc(keyLength, 1), ivLength ? Buffer.alloc(ivLength, 2) : null), plain).toString("hex")] })`,
    `["aes-128-cbc", "aes-256-ctr", "aes-192-ecb"].map((name) => { const { keyLength, ivLength } = crypto.getCipherInfo(name); const make = (create) => create(name, Buffer.alloc(keyLength, 1), ivLength ? Buffer.alloc(ivLength, 2) : null); return both(make(crypto.createDecipheriv), both(make(crypto.createCipheriv), plain)).equals(plain) })`,
    `const cipher = crypto.createCipheriv("aes-256-cbc", key, iv); return [1, 15, 16, 17, 40].map((size) => cipher.update(Buffer.alloc(size, size)).toString("hex")).concat(cipher.final("hex"))`,
    `const cipher = crypto.createCipheriv("aes-256-ctr", key, iv); return [1, 15, 17].map((size) => cipher.update(Buffer.alloc(size, size), undefined, "base64")).concat(cipher.final("base64"))`,
    `const cipher = crypto.createCipheriv("aes-256-cbc", key, iv); return cipher.update("abc", "utf8", "hex") + cipher.final("hex")`,
    `const cipher = crypto.createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false); return both(cipher, Buffer.alloc(32))`,
    `crypto.createCipheriv("aes-256-cbc", crypto.createSecretKey(key), iv).final("hex")`,
    `[crypto.getCipherInfo("aes-256-gcm"), crypto.getCipherInfo("nope"), crypto.getCipherInfo("aes-128-cbc", { ivLength: 5 }), crypto.getCipherInfo(901)]`,
    `[crypto.createCipheriv("aes-256-cbc", key, iv) instanceof crypto.Cipheriv, crypto.createDecipheriv("aes-256-cbc", key, iv) instanceof require("stream").Transform]`,
    thrown(`crypto.createCipheriv("nope", key, iv)`),
    thrown(`crypto.createCipheriv("aes-256-cbc", Buffer.alloc(5), iv)`),
    thrown(`crypto.createCipheriv("aes-256-cbc", key, Buffer.alloc(5))`),
    thrown(`crypto.createCipheriv("aes-256-cbc", key, null)`),
    thrown(`crypto.createCipheriv()`),
    thrown(`crypto.createCipheriv("aes-256-cbc", 5, iv)`),
    thrown(`crypto.createCipheriv("aes-256-cbc", key, iv).update(5)`),
    thrown(`const cipher = crypto.createCipheriv("aes-256-cbc", key, iv); cipher.final(); cipher.final()`),
    thrown(`const cipher = crypto.createCipheriv("aes-256-cbc", key, iv); cipher.final(); cipher.update("a")`),
    thrown(
      `const cipher = crypto.createCipheriv("aes-256-cbc", key, iv); cipher.setAutoPadding(false); cipher.update("a"); cipher.final()`,
    ),
    thrown(`both(crypto.createDecipheriv("aes-256-cbc", key, iv), Buffer.alloc(16))`),
    thrown(`both(crypto.createDecipheriv("aes-256-cbc", key, iv), Buffer.alloc(5))`),
  ]);
});

test("authenticated ciphers behave as in Node", async () => {
  await alike([
    `${sealed} return [text, tag]`,
    `${sealed} const open = crypto.createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("head")).setAuthTag(tag); return both(open, text).equals(plain)`,
    `const cipher = crypto.createCipheriv("aes-256-gcm", key, Buffer.alloc(20, 1), { authTagLength: 12 }); return [cipher.update("a"), cipher.update("bc"), cipher.final(), cipher.getAuthTag()]`,
    `const cipher = crypto.createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 }); cipher.setAAD(Buffer.from("x"), { plaintextLength: 3 }); return [cipher.update("abc"), cipher.final(), cipher.getAuthTag()]`,
    `const cipher = crypto.createCipheriv("aes-256-ccm", key, nonce, { authTagLength: 16 }); cipher.setAAD(Buffer.from("x"), { plaintextLength: 3 }); return [cipher.update("abc"), cipher.final(), cipher.getAuthTag()]`,
    `const cipher = crypto.createCipheriv("aes-256-ocb", key, nonce, { authTagLength: 16 }); return [both(cipher, plain), cipher.getAuthTag()]`,
    thrown(
      `${sealed} tag[0] ^= 1; both(crypto.createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("head")).setAuthTag(tag), text)`,
    ),
    thrown(`${sealed} both(crypto.createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(tag), text)`),
    thrown(`${sealed} both(crypto.createDecipheriv("aes-256-gcm", key, nonce), text)`),
    `${sealed} return both(crypto.createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("head")).setAuthTag(tag.subarray(0, 12)), text).equals(plain)`,
    thrown(`crypto.createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(Buffer.alloc(3))`),
    thrown(`crypto.createCipheriv("aes-256-gcm", key, nonce).getAuthTag()`),
    thrown(`crypto.createCipheriv("aes-256-gcm", key, nonce, { authTagLength: 3 })`),
    thrown(`crypto.createCipheriv("aes-256-cbc", key, iv).setAAD(Buffer.from("a"))`),
  ]);
});
