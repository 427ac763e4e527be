import { gzipSync } from "node:zlib";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { openOwnSandbox, runBody, tryComponent } from "../../sandbox.cases.ts";
import { bundled } from "../differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = openOwnSandbox();
});
afterAll(() => sandbox.close());

const mib = 1024 * 1024;
const inBase64 = (bytes: Uint8Array): string => `Buffer.from("${Buffer.from(bytes).toString("base64")}", "base64")`;

/** One element of DER. */
const der = (tag: number, ...content: Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, 0x82, bytes.length >> 8, bytes.length & 255]), bytes]);
};
const sequence = (...content: Uint8Array[]): Buffer => der(0x30, ...content);
const id = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const number = (value: number): Buffer => der(0x02, Buffer.from(value.toString(16).padStart(10, "0"), "hex"));
const text = (size: number): Buffer => der(0x04, Buffer.alloc(size, 1));

/** An encrypted key whose derivation declares this much work. */
const encryptedKey = (kdf: Buffer): Buffer =>
  sequence(sequence(id("2a864886f70d01050d"), sequence(kdf, sequence(id("60864801650304012a"), text(16)))), text(128));
const byPbkdf2 = encryptedKey(sequence(id("2a864886f70d01050c"), sequence(text(8), number(2 ** 31 - 1))));
const byScrypt = encryptedKey(
  sequence(id("2b06010401da47040b"), sequence(text(8), number(2 ** 20), number(64), number(4))),
);
const inPem = (key: Buffer): string =>
  `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${key.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
// Of indefinite length, which OpenSSL accepts.
const openLength = Buffer.concat([Buffer.from([0x30, 0x80]), byPbkdf2.subarray(4), Buffer.from([0, 0])]);

const bomb = gzipSync(Buffer.alloc(65 * mib));
const gcm = `"aes-256-gcm", Buffer.alloc(32), Buffer.alloc(12)`;

/** Code that exceeds a limit on work, and the code of the error. */
const heavy: readonly [code: string, error: string][] = [
  [`crypto.pbkdf2Sync("p", "s", 1e9, 32, "sha256")`, "ERR_OUT_OF_RANGE"],
  [`crypto.pbkdf2Sync("p", "s", 1, 2 ** 30, "sha256")`, "ERR_OUT_OF_RANGE"],
  [`crypto.pbkdf2Sync("p", "s", 100000, 64000, "sha256")`, "ERR_OUT_OF_RANGE"],
  [`crypto.scryptSync("p", "s", 32, { N: 2 ** 20, r: 8, p: 1, maxmem: 2 ** 40 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.scryptSync("p", "s", 32, { N: 2, r: 1, p: 2 ** 28, maxmem: 2 ** 40 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.pbkdf2Sync("p", Buffer.alloc(1e7), 1, 1e6, "sha256")`, "ERR_OUT_OF_RANGE"],
  [`crypto.scryptSync("p", "s", 32, { N: 2 ** 14, r: 8, p: 2 ** 14, maxmem: 0 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.scryptSync("p", Buffer.alloc(1e7), 32, { N: 2, r: 1, p: 5e5, maxmem: 2 ** 40 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.scryptSync("p", "s", 1e6, { N: 2, r: 1, p: 5e5, maxmem: 2 ** 40 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.generateKeyPairSync("rsa", { modulusLength: 16384 })`, "ERR_OUT_OF_RANGE"],
  [`crypto.generateKeyPairSync("dh", { primeLength: 4096 })`, "ERR_INVALID_ARG_VALUE"],
  [`crypto.createHash("shake256", { outputLength: 2 ** 30 }).digest()`, "ERR_OUT_OF_RANGE"],
  [`crypto.createPrivateKey({ key: ${JSON.stringify(inPem(byPbkdf2))}, passphrase: "p" })`, "ERR_OUT_OF_RANGE"],
  [`crypto.createPrivateKey({ key: ${JSON.stringify(inPem(byScrypt))}, passphrase: "p" })`, "ERR_OUT_OF_RANGE"],
  [
    `crypto.createPrivateKey({ key: ${inBase64(byPbkdf2)}, format: "der", type: "pkcs8", passphrase: "p" })`,
    "ERR_OUT_OF_RANGE",
  ],
  [
    `crypto.createPublicKey({ key: ${inBase64(byPbkdf2)}, format: "der", type: "pkcs8", passphrase: "p" })`,
    "ERR_OUT_OF_RANGE",
  ],
  [`crypto.createPublicKey({ key: ${inBase64(byPbkdf2)}, format: "der", passphrase: "p" })`, "ERR_INVALID_ARG_VALUE"],
  [
    `crypto.createPublicKey({ key: { kty: "RSA", e: "AQAB", n: "x".repeat(100000) }, format: "jwk" })`,
    "ERR_OUT_OF_RANGE",
  ],
  [`zlib.inflateSync(Buffer.alloc(${17 * mib}))`, "ERR_OUT_OF_RANGE"],
  [
    `crypto.createPrivateKey({ key: ${inBase64(openLength)}, format: "der", type: "pkcs8", passphrase: "p" })`,
    "TypeError",
  ],
  [
    `crypto.createSign("sha256").sign({ key: ${JSON.stringify(inPem(byPbkdf2))}, passphrase: "p" })`,
    "ERR_OUT_OF_RANGE",
  ],
  [`crypto.createPrivateKey("x".repeat(100000))`, "ERR_OUT_OF_RANGE"],
  [
    `crypto.createCipheriv("id-aes256-wrap", Buffer.alloc(32), Buffer.alloc(8)).update(Buffer.alloc(${mib}))`,
    "ERR_OUT_OF_RANGE",
  ],
  [`crypto.createCipheriv(${gcm}).update(Buffer.alloc(${33 * mib}))`, "ERR_OUT_OF_RANGE"],
  [`crypto.createHash("sha3-512").update(Buffer.alloc(${65 * mib})).digest()`, "ERR_OUT_OF_RANGE"],
  [`zlib.gunzipSync(${inBase64(bomb)})`, "ERR_BUFFER_TOO_LARGE"],
  [
    `await crypto.subtle.importKey("raw", Buffer.from("p"), "PBKDF2", false, ["deriveBits"]).then((key) => crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: Buffer.alloc(8), iterations: 1e9 }, key, 256))`,
    "ERR_OUT_OF_RANGE",
  ],
  [
    `await crypto.subtle.generateKey({ name: "RSA-PSS", modulusLength: 16384, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-1" }, true, ["sign"])`,
    "ERR_OUT_OF_RANGE",
  ],
];

describe("work during which a thread could not be terminated", () => {
  it("is refused before it begins, and the call continues", async () => {
    const attempts = heavy.map(([code]) => `async () => { ${code} }`);
    const code = await bundled(
      runBody(`
        const crypto = require("crypto"), zlib = require("zlib"), seen = [];
        for (const attempt of [${attempts.join(",\n")}])
          seen.push(await attempt().then(() => "nothing", (error) => error.code ?? error.name));
        this.$emit(seen)`),
    );
    const { outcome, emits } = await tryComponent(sandbox, code, { memoryBytes: 320 * mib, timeoutMs: 300_000 });
    expect(outcome.error).toBeUndefined();
    expect(JSON.parse(emits[0]?.payload ?? "")).toEqual(heavy.map(([, error]) => error));
  });

  it("is bounded by the memory of the sandbox", async () => {
    const code = await bundled(runBody(`require("crypto").randomBytes(1e9)`));
    const { outcome } = await tryComponent(sandbox, code);
    expect(outcome.error?.code).toMatch(/component_threw|sandbox_out_of_memory/);
    expect(outcome.memoryBytes).toBeLessThanOrEqual(64 * mib);
  });

  it("is bounded for compression: slow levels are lowered", async () => {
    const code = await bundled(
      runBody(`
        const zlib = require("zlib"), data = require("crypto").randomBytes(1.5e6);
        const small = [zlib.brotliCompressSync(data), zlib.zstdCompressSync(data, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 22, [zlib.constants.ZSTD_c_windowLog]: 31 } })];
        this.$emit([zlib.brotliDecompressSync(small[0]).equals(data), zlib.zstdDecompressSync(small[1]).equals(data)])`),
    );
    const { outcome, emits } = await tryComponent(sandbox, code, { timeoutMs: 20_000 });
    expect(outcome.error).toBeUndefined();
    expect(emits[0]?.payload).toBe("[true,true]");
  });

  it.each([
    `require("crypto").createHash("sha3-512").update(Buffer.alloc(${48 * mib})).digest()`,
    `require("crypto").createCipheriv("des-ede3-cfb1", Buffer.alloc(24), Buffer.alloc(8)).update(Buffer.alloc(${2 * mib}))`,
  ])("ends with the deadline between pieces of the data: %s", async (work) => {
    const code = await bundled(runBody(`for (;;) ${work}`));
    const { outcome } = await tryComponent(sandbox, code, { timeoutMs: 200, memoryBytes: 320 * mib });
    expect(outcome.status).toBe("timeout");
  });

  it("ends with the deadline while the host compresses", async () => {
    const code = await bundled(
      runBody(`
        const zlib = require("zlib"), data = require("crypto").randomBytes(4e6).map((byte) => byte & 1);
        for (;;) zlib.gzipSync(data, { level: 9 })`),
    );
    const { outcome } = await tryComponent(sandbox, code, { timeoutMs: 500 });
    expect(outcome.status).toBe("timeout");
  });
});

describe("cryptography at the top level of a module", () => {
  const run = async (top: string, body: string, event: unknown): Promise<unknown> => {
    const code = await bundled(`const crypto = require("crypto"); ${top}; ${runBody(body)}`);
    const { outcome, emits } = await tryComponent(sandbox, code, { event, source: "dc_top" });
    expect(outcome.error).toBeUndefined();
    return JSON.parse(emits[0]?.payload ?? "null");
  };

  it("gives every call its own copy of a hash that was begun there", async () => {
    const top = `const begun = crypto.createHmac("sha256", "key").update("head "), hash = crypto.createHash("sha256").update("head ")`;
    const body = `this.$emit([begun.update(event.text).digest("hex"), hash.copy().update(event.text).digest("hex")])`;
    for (const text of ["a", "b", "a"]) {
      const [mac, digest] = (await run(top, body, { text })) as [string, string];
      expect(mac).toBe(createHmac("sha256", "key").update(`head ${text}`).digest("hex"));
      expect(digest).toHaveLength(64);
    }
  });

  it.each([
    `crypto.randomUUID()`,
    `crypto.generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" })`,
    `crypto.createECDH("prime256v1").generateKeys("hex")`,
  ])("generates new secrets in every call: %s", async (code) => {
    const seen = [
      await run(`const made = ${code}`, `this.$emit(made)`, 1),
      await run(`const made = ${code}`, `this.$emit(made)`, 2),
    ];
    expect(new Set(seen).size).toBe(2);
  });
});
