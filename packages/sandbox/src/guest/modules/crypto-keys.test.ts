import { constants, generateKeyPairSync, publicEncrypt, sign } from "node:crypto";
import { afterAll, beforeAll, test } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { openSandbox } from "../../sandbox.cases.ts";
import { expectAlike, thrown } from "./alike.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const pairs = {
  rsa: generateKeyPairSync("rsa", { modulusLength: 1024 }),
  ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed: generateKeyPairSync("ed25519"),
  x: generateKeyPairSync("x25519"),
  other: generateKeyPairSync("x25519"),
};
const pem = Object.fromEntries(
  Object.entries(pairs).flatMap(([name, { publicKey, privateKey }]) => [
    [name, privateKey.export({ type: "pkcs8", format: "pem" })],
    [`${name}Public`, publicKey.export({ type: "spki", format: "pem" })],
  ]),
);
const locked = pairs.rsa.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "pass" });
const old = pairs.rsa.privateKey.export({ type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "pass" });
const beginning = `crypto = require("crypto"), pem = ${JSON.stringify({ ...pem, locked, old })}, keys = Object.fromEntries(["rsa", "ec", "ed", "x", "other"].flatMap((name) => [[name, crypto.createPrivateKey(pem[name])], [name + "Public", crypto.createPublicKey(pem[name + "Public"])]]))`;
const alike = (snippets: readonly string[]): Promise<void> => expectAlike(sandbox, beginning, snippets);

test("keys are read and written as in Node", async () => {
  await alike([
    `Object.values(keys).map((key) => [key.type, key.asymmetricKeyType, key.asymmetricKeyDetails, key.symmetricKeySize, key instanceof crypto.KeyObject, Object.prototype.toString.call(key)])`,
    `Object.values(keys).map((key) => key.export({ format: "jwk" }))`,
    `Object.values(keys).map((key) => key.type === "public" ? key.export({ type: "spki", format: "pem" }) : key.export({ type: "pkcs8", format: "pem" }))`,
    `[keys.rsa.export({ type: "pkcs1", format: "pem" }), keys.rsaPublic.export({ type: "pkcs1", format: "der" }), keys.ec.export({ type: "sec1", format: "pem" })]`,
    `[keys.rsa, keys.ec].map((key) => crypto.createPublicKey(key).export({ type: "spki", format: "pem" }))`,
    `crypto.createPublicKey(pem.rsa).equals(keys.rsaPublic)`,
    `[keys.rsa.equals(crypto.createPrivateKey(pem.rsa)), keys.rsa.equals(keys.rsaPublic)]`,
    `crypto.createPrivateKey({ key: keys.ec.export({ format: "jwk" }), format: "jwk" }).export({ type: "sec1", format: "pem" })`,
    `crypto.createPublicKey({ key: keys.edPublic.export({ type: "spki", format: "der" }), type: "spki", format: "der" }).equals(keys.edPublic)`,
    `crypto.createPrivateKey({ key: Buffer.from(pem.rsa) }).equals(keys.rsa)`,
    `crypto.createPrivateKey({ key: pem.locked, passphrase: "pass" }).equals(keys.rsa)`,
    `crypto.createPrivateKey({ key: pem.locked, passphrase: Buffer.from("pass") }).equals(keys.rsa)`,
    `crypto.createPrivateKey({ key: pem.old, passphrase: "pass" }).equals(keys.rsa)`,
    `crypto.createPrivateKey({ key: keys.ec.export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "p" }), passphrase: "p" }).equals(keys.ec)`,
    `const key = crypto.createSecretKey(Buffer.from([0, 1, 2])); return [key.type, key.symmetricKeySize, key.asymmetricKeyType, key.export(), key.export({ format: "jwk" }), key.equals(crypto.createSecretKey("000102", "hex"))]`,
    thrown(`crypto.createPrivateKey({ key: pem.locked, passphrase: "wrong" })`),
    thrown(`crypto.createPrivateKey(pem.locked)`),
    thrown(`crypto.createPrivateKey("no key")`),
    thrown(`crypto.createPublicKey("no key")`),
    thrown(`crypto.createPrivateKey(pem.rsaPublic)`),
    `try { crypto.createPrivateKey() } catch (error) { return [error.name, error.code] }`,
    thrown(`crypto.createPublicKey(5)`),
    thrown(`crypto.createPublicKey({})`),
    thrown(`crypto.createPublicKey(keys.rsaPublic)`),
    thrown(`crypto.createPublicKey(crypto.createSecretKey("a", "utf8"))`),
    thrown(`crypto.createSecretKey(5)`),
    thrown(`keys.rsa.export()`),
    thrown(`keys.rsa.export({ format: "pem" })`),
    thrown(`keys.rsaPublic.export({ type: "pkcs8", format: "pem" })`),
    thrown(`crypto.createHmac("sha1", keys.rsa)`),
  ]);
});

test("deterministic signatures equal Node's", async () => {
  await alike([
    `["sha1", "sha256", "RSA-SHA512"].map((name) => crypto.createSign(name).update("a").update("b").sign(pem.rsa, "base64"))`,
    `crypto.sign("sha256", Buffer.from("abc"), pem.rsa).toString("hex")`,
    `crypto.sign(null, Buffer.from("abc"), keys.ed)`,
    `crypto.createSign("sha256").update("é").sign({ key: pem.locked, passphrase: "pass" }, "hex")`,
    `crypto.createSign("sha256").update("6162", "hex").sign({ key: keys.rsa.export({ format: "jwk" }), format: "jwk" }, "hex")`,
    `const sign = crypto.createSign("sha1"); sign.write("abc"); sign.end(); return sign.sign(keys.rsa, "hex")`,
    `await new Promise((done) => crypto.sign("sha256", Buffer.from("a"), pem.rsa, (error, bytes) => done([error, bytes])))`,
    `crypto.privateEncrypt(pem.rsa, Buffer.from("abc"))`,
    thrown(`crypto.createSign("nope")`),
    thrown(`crypto.createSign()`),
    thrown(`crypto.createVerify("nope")`),
    thrown(`crypto.createSign("sha256").update("a").sign()`),
    thrown(`crypto.createSign("sha256").update("a").sign("no key")`),
    thrown(`crypto.createSign("sha256").update("a").sign(keys.rsaPublic)`),
    thrown(`crypto.createSign("sha256").update("a").sign(keys.ed)`),
    thrown(`crypto.sign("nope", Buffer.from("a"), pem.rsa)`),
    thrown(`crypto.sign("sha256", Buffer.from("a"))`),
    thrown(`crypto.sign("sha256", 5, pem.rsa)`),
    thrown(`crypto.verify("sha256", Buffer.from("a"), pem.rsaPublic)`),
  ]);
});

const { RSA_PKCS1_PSS_PADDING: padding } = constants;
const { rsa, ec } = pairs;
const data = Buffer.from("abc");
/** Code that signs, code that verifies, and a signature by Node. */
const schemes: readonly [signer: string, verifier: string, signature: Buffer][] = [
  [
    `{ key: pem.rsa, padding: ${padding}, saltLength: 20 }`,
    `{ key: pem.rsaPublic, padding: ${padding}, saltLength: 20 }`,
    sign("sha256", data, { key: rsa.privateKey, padding, saltLength: 20 }),
  ],
  [`pem.ec`, `pem.ecPublic`, sign("sha256", data, ec.privateKey)],
  [
    `{ key: pem.ec, dsaEncoding: "ieee-p1363" }`,
    `{ key: pem.ecPublic, dsaEncoding: "ieee-p1363" }`,
    sign("sha256", data, { key: ec.privateKey, dsaEncoding: "ieee-p1363" }),
  ],
  [`keys.rsa`, `keys.rsaPublic`, sign("sha256", data, rsa.privateKey)],
];

test("signatures are verified as in Node, also those of the other side", async () => {
  await alike(
    schemes.flatMap(([signer, verifier, signature]) => [
      `crypto.createVerify("sha256").update("abc").verify(${verifier}, "${signature.toString("hex")}", "hex")`,
      `crypto.verify("sha256", Buffer.from("abd"), ${verifier}, Buffer.from("${signature.toString("hex")}", "hex"))`,
      `crypto.verify("sha256", Buffer.from("abc"), ${verifier}, crypto.sign("sha256", Buffer.from("abc"), ${signer}))`,
      `crypto.createVerify("sha256").update("abc").verify(${verifier}, crypto.createSign("sha256").update("abc").sign(${signer}))`,
      `crypto.verify("sha256", Buffer.from("abc"), ${verifier}, Buffer.from("00", "hex"))`,
    ]),
  );
});

/** A certificate as services publish it. */
const certificate = `-----BEGIN CERTIFICATE-----
MIICBDCCAW2gAwIBAgIUUFSpX76WxEJuvjBhc02I/8QfZ0gwDQYJKoZIhvcNAQEL
BQAwEzERMA8GA1UEAwwIc25zLnRlc3QwIBcNMjYxMTIyMDI1NjI0WhgPMjEyNjEw
MjkwMjU2MjRaMBMxETAPBgNVBAMMCHNucy50ZXN0MIGfMA0GCSqGSIb3DQEBAQUA
A4GNADCBiQKBgQC9hMMbq9huZSHB7aqNbawdPDpjVMub1uPUaOUN82bCg15N5btE
b4UdssgeW0aQGmtTM8jyUqgHRdVKnntL+RYHwqPy3gbxUEF3MwXSYBfU2BJkLw61
tKn7oM7W/Z7kk2+QIcs22qlivE2Z//WOsmOwF/DpsL9JEoLZdLIcn1+vOQIDAQAB
o1MwUTAdBgNVHQ4EFgQU6o3ZXSTSaV2KGgdFX/nT0cf2EfkwHwYDVR0jBBgwFoAU
6o3ZXSTSaV2KGgdFX/nT0cf2EfkwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0B
AQsFAAOBgQBbTQUskUvNqK1egWArFtaHb7bzif5XR5Lz4NANkEEiiT37GTdkHqb3
kzknXwbfspoJP/gsO3R3gcfgqZUhYyyrNTsdoc3pVlhl40Qx6WfX+s3hmM4n2oAS
TqHauEXOSfJBGZFitG/dwztp3JfldrS+p9ImuTenSHcBKOPNiDqlKQ==
-----END CERTIFICATE-----`;

test("a certificate is accepted as a public key, as in Node", async () => {
  await alike([
    `const key = crypto.createPublicKey(${JSON.stringify(certificate)}); return [key.type, key.asymmetricKeyDetails, key.export({ type: "spki", format: "pem" })]`,
    `crypto.createVerify("RSA-SHA1").update("abc", "utf8").verify(${JSON.stringify(certificate)}, "AAAA", "base64")`,
  ]);
});

test("data is encrypted with key pairs as in Node", async () => {
  const box = publicEncrypt(pairs.rsa.publicKey, Buffer.from("a\0b")).toString("hex");
  const hashed = { key: pairs.rsa.publicKey, oaepHash: "sha256", oaepLabel: Buffer.from("l") };
  const labelled = publicEncrypt(hashed, Buffer.from("abc")).toString("hex");
  await alike([
    `crypto.privateDecrypt(pem.rsa, Buffer.from("${box}", "hex"))`,
    `crypto.privateDecrypt({ key: pem.rsa, oaepHash: "sha256", oaepLabel: Buffer.from("l") }, Buffer.from("${labelled}", "hex"))`,
    `crypto.privateDecrypt(keys.rsa, crypto.publicEncrypt(pem.rsaPublic, Buffer.from("abc"))).toString()`,
    `crypto.publicDecrypt(keys.rsaPublic, crypto.privateEncrypt(keys.rsa, Buffer.from("abc"))).toString()`,
    thrown(`crypto.publicEncrypt(pem.rsaPublic, Buffer.alloc(500))`),
    thrown(`crypto.publicEncrypt(pem.rsaPublic, 5)`),
    `crypto.diffieHellman({ privateKey: keys.x, publicKey: keys.otherPublic }).equals(crypto.diffieHellman({ privateKey: keys.other, publicKey: keys.xPublic }))`,
    `crypto.diffieHellman({ privateKey: keys.x, publicKey: keys.otherPublic })`,
    thrown(`crypto.diffieHellman({ privateKey: keys.x })`),
  ]);
});

test("keys are generated as in Node", async () => {
  await alike([
    `const { publicKey, privateKey } = crypto.generateKeyPairSync("rsa", { modulusLength: 1024 }); return [publicKey.type, privateKey.asymmetricKeyDetails, crypto.verify("sha256", Buffer.from("a"), publicKey, crypto.sign("sha256", Buffer.from("a"), privateKey))]`,
    `const { publicKey, privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "secp256k1", publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "sec1", format: "pem" } }); return [publicKey.slice(0, 27), privateKey.slice(0, 31), crypto.verify("sha256", Buffer.from("a"), publicKey, crypto.sign("sha256", Buffer.from("a"), privateKey))]`,
    `await new Promise((done) => crypto.generateKeyPair("ed25519", {}, (error, publicKey, privateKey) => done([error, publicKey.asymmetricKeyType, privateKey.type])))`,
    `const { publicKey } = await require("util").promisify(crypto.generateKeyPair)("x25519", {}).catch(() => ({})); return typeof publicKey`,
    `crypto.generateKeySync("hmac", { length: 64 }).symmetricKeySize`,
    `crypto.generateKeySync("aes", { length: 256 }).export().length`,
    thrown(`crypto.generateKeyPairSync("nope", {})`),
    thrown(`crypto.generateKeyPairSync()`),
    thrown(`crypto.generateKeyPairSync("ec", { namedCurve: "nope" })`),
    thrown(`crypto.generateKeySync("aes", { length: 5 })`),
    `const a = crypto.createECDH("secp256k1"), b = crypto.createECDH("secp256k1"); a.generateKeys(); return a.computeSecret(b.generateKeys()).equals(b.computeSecret(a.getPublicKey("hex"), "hex"))`,
    `const a = crypto.createECDH("prime256v1"); a.setPrivateKey("01".repeat(32), "hex"); return [a.getPublicKey("hex"), a.getPublicKey("hex", "compressed"), a.getPrivateKey(), a.computeSecret(a.getPublicKey())]`,
    `crypto.ECDH.convertKey(crypto.createECDH("prime256v1").setPrivateKey?.("02".repeat(32), "hex") && "03" + "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", "prime256v1", "hex", "hex", "uncompressed")`,
    thrown(`crypto.createECDH("nope")`),
  ]);
});
