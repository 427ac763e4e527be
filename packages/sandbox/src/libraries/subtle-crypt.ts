import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  diffieHellman,
  hkdfSync,
  pbkdf2Sync,
  privateDecrypt,
  publicEncrypt,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";

import { hostFunction, type HostFunctions } from "./answer.ts";
import { cipherFunctions } from "./cipher.ts";
import { checkRounds, feed } from "./hash.ts";
import { type AlgorithmGiven, algorithmName, familyOf, hashName, nodeHash, refuse } from "./subtle-algorithm.ts";
import { type CryptoKeyGiven, keyOf } from "./subtle-key.ts";

interface Given {
  readonly algorithm: AlgorithmGiven;
  readonly key: CryptoKeyGiven;
  /** The usage that the key must have, such as `wrapKey` for an encryption. */
  readonly usage: string;
}

function checkKey({ algorithm, key, usage }: Given): void {
  const name = algorithmName(algorithm);
  // Missing members are reported before a mismatch of the key.
  if (name === "ECDSA") hashName(algorithm.hash);
  if (name !== key.algorithm.name) refuse("InvalidAccessError", "Key algorithm mismatch");
  if (!key.usages.includes(usage)) refuse("InvalidAccessError", `Unable to use this key to ${usage}`);
}

/** Replaces errors of OpenSSL by the standard's OperationError, which gives no reason. */
function operate<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof DOMException || error instanceof RangeError) throw error;
    return refuse("OperationError", "The operation failed for an operation-specific reason");
  }
}

function signOptions({ algorithm, key }: Given): object {
  switch (key.algorithm.name) {
    case "ECDSA":
      return { dsaEncoding: "ieee-p1363" };
    case "RSA-PSS":
      if (algorithm.saltLength === undefined) throw new TypeError("RSA-PSS needs a saltLength");
      return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength };
    default:
      return {};
  }
}

/** The hash to sign with: that of the call for ECDSA, that of the key otherwise. */
function signHash({ algorithm, key }: Given): string | null {
  if (key.algorithm.name === "Ed25519") return null;
  return nodeHash(key.algorithm.name === "ECDSA" ? algorithm.hash : key.algorithm.hash);
}

function signData(given: Given, keyBytes: Uint8Array, data: Uint8Array): Uint8Array {
  checkKey(given);
  if (given.key.algorithm.name === "HMAC")
    return feed(createHmac(nodeHash(given.key.algorithm.hash), keyBytes), data).digest();
  const [hash, options] = [signHash(given), signOptions(given)];
  return operate(() => sign(hash, data, { key: keyOf(given.key, keyBytes), ...options }));
}

function verifyData(given: Given, keyBytes: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  checkKey(given);
  if (given.key.algorithm.name === "HMAC") {
    const wanted = feed(createHmac(nodeHash(given.key.algorithm.hash), keyBytes), data).digest();
    return wanted.length === signature.length && timingSafeEqual(wanted, signature);
  }
  const [hash, options] = [signHash(given), signOptions(given)];
  return operate(() => verify(hash, data, { key: keyOf(given.key, keyBytes), ...options }, signature));
}

const tagBits = [32, 64, 96, 104, 112, 120, 128];
const blockBytes = 16;

interface Ciphering extends Given {
  readonly decrypt: boolean;
  readonly hasAad: boolean;
}

const cipher = (given: object, ...parts: Uint8Array[]): Uint8Array =>
  cipherFunctions["cipher"]?.(given, parts) as Uint8Array;
const none = new Uint8Array(0);
const whole = { hasIv: true, autoPadding: true, hasAad: false, hasTag: false, final: true, from: 0 };

function gcm(given: Ciphering, key: Uint8Array, data: Uint8Array, iv: Uint8Array, aad: Uint8Array): Uint8Array {
  const { decrypt, hasAad, algorithm } = given;
  const bits = algorithm.tagLength ?? 128;
  if (!tagBits.includes(bits)) refuse("OperationError", `${bits} is not a valid AES-GCM tag length`);
  const cut = data.length - bits / 8;
  if (decrypt && cut < 0) refuse("OperationError", "The provided data is too small.");
  const [body, tag] = decrypt ? [data.subarray(0, cut), data.subarray(cut)] : [data, none];
  const name = `aes-${key.length * 8}-gcm`;
  return cipher({ ...whole, name, decrypt, authTagLength: bits / 8, hasAad, hasTag: decrypt }, key, iv, aad, tag, body);
}

/** The counter is the last `length` bits of its block and wraps there; OpenSSL counts with all bits. */
function ctr({ decrypt, algorithm }: Ciphering, key: Uint8Array, data: Uint8Array, counter: Uint8Array): Uint8Array {
  const { length } = algorithm;
  if (counter.length !== blockBytes) refuse("OperationError", "algorithm.counter must contain exactly 16 bytes");
  if (length === undefined || !(length >= 1 && length <= 128))
    refuse("OperationError", "AES-CTR algorithm.length must be between 1 and 128");
  const room = 1n << BigInt(length);
  const start = BigInt(`0x${Buffer.from(counter).toString("hex")}`);
  const blocks = BigInt(Math.ceil(data.length / blockBytes));
  if (blocks > room) refuse("OperationError", "The data is too long for the counter");
  const name = `aes-${key.length * 8}-ctr`;
  const left = room - (start % room);
  const run = (iv: Uint8Array, part: Uint8Array): Uint8Array =>
    cipher({ ...whole, name, decrypt }, key, iv, none, none, part);
  if (blocks <= left) return run(counter, data);
  const cut = Number(left) * blockBytes;
  const first = Buffer.from((start - (start % room)).toString(16).padStart(32, "0"), "hex");
  return Buffer.concat([run(counter, data.subarray(0, cut)), run(first, data.subarray(cut))]);
}

const wrapIv = Buffer.alloc(8, 0xa6);

function keyWrap(decrypt: boolean, key: Uint8Array, data: Uint8Array): Uint8Array {
  const name = `id-aes${key.length * 8}-wrap`;
  const start = decrypt ? createDecipheriv : createCipheriv;
  return start(name, key, wrapIv).update(data);
}

function oaep(
  { decrypt, key, hasAad }: Ciphering,
  keyBytes: Uint8Array,
  data: Uint8Array,
  label: Uint8Array,
): Uint8Array {
  const input = {
    key: keyOf(key, keyBytes),
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: nodeHash(key.algorithm.hash),
    ...(hasAad && label.length > 0 && { oaepLabel: Buffer.from(label) }),
  };
  return decrypt ? privateDecrypt(input, data) : publicEncrypt(input, data);
}

/** `iv` is the counter of AES-CTR, `aad` the label of RSA-OAEP. */
function encrypt(given: Ciphering, ...parts: Uint8Array[]): Uint8Array {
  const [key = none, data = none, iv = none, aad = none] = parts;
  checkKey(given);
  const { name } = given.key.algorithm;
  if (name === "AES-CBC" && iv.length !== blockBytes)
    refuse("OperationError", "algorithm.iv must contain exactly 16 bytes");
  return operate(() => {
    switch (name) {
      case "AES-GCM":
        return gcm(given, key, data, iv, aad);
      case "AES-CTR":
        return ctr(given, key, data, iv);
      case "AES-CBC":
        return cipher(
          { ...whole, name: `aes-${key.length * 8}-cbc`, decrypt: given.decrypt },
          key,
          iv,
          none,
          none,
          data,
        );
      case "AES-KW":
        return keyWrap(given.decrypt, key, data);
      default:
        return oaep(given, key, data, aad);
    }
  });
}

interface Deriving extends Given {
  /** In bits; null: all. */
  readonly length: number | null;
  readonly publicKey?: CryptoKeyGiven;
}

function agree({ key, publicKey, length }: Deriving, keyBytes: Uint8Array, publicBytes: Uint8Array): Uint8Array {
  if (publicKey?.type !== "public") return refuse("InvalidAccessError", "algorithm.public must be a public key");
  const [own, other] = [key.algorithm, publicKey.algorithm];
  if (own.name !== other.name) refuse("InvalidAccessError", "algorithm.public must be a key of the same algorithm");
  if (own.namedCurve !== other.namedCurve) refuse("InvalidAccessError", "Named curve mismatch");
  const secret = operate(() =>
    diffieHellman({ privateKey: keyOf(key, keyBytes), publicKey: keyOf(publicKey, publicBytes) }),
  );
  if (length === null) return secret;
  if (length > secret.length * 8) refuse("OperationError", "derived bit length is too small");
  const bits = Buffer.from(secret.subarray(0, Math.ceil(length / 8)));
  const rest = length % 8;
  if (rest > 0) bits[bits.length - 1] = (bits.at(-1) ?? 0) & (0xff << (8 - rest));
  return bits;
}

function deriveBits(given: Deriving, ...parts: Uint8Array[]): Uint8Array {
  const [key = none, salt = none, info = none, publicBytes = none] = parts;
  checkKey(given);
  const { algorithm, length } = given;
  if (familyOf(given.key.algorithm.name).kind !== "derive") return agree(given, key, publicBytes);
  const digest = nodeHash(algorithm.hash);
  if (length === null) return refuse("OperationError", "length cannot be null");
  if (length % 8 !== 0) refuse("OperationError", "length must be a multiple of 8");
  const keylen = length / 8;
  if (given.key.algorithm.name === "HKDF")
    return operate(() => {
      if (keylen > 255 * createHash(digest).digest().length) throw new Error("too long");
      return new Uint8Array(hkdfSync(digest, key, salt, info, keylen));
    });
  const { iterations } = algorithm;
  if (iterations === undefined) throw new TypeError("PBKDF2 needs iterations");
  if (iterations === 0) refuse("OperationError", "iterations cannot be zero");
  checkRounds({ digest, keylen, iterations }, salt);
  return operate(() => pbkdf2Sync(key, salt, iterations, keylen, digest));
}

export const subtleFunctions: HostFunctions = {
  subtleDigest: hostFunction(({ algorithm }: { algorithm: AlgorithmGiven }, data) =>
    feed(createHash(nodeHash(algorithm)), data).digest(),
  ),
  subtleSign: hostFunction(signData),
  subtleVerify: hostFunction(verifyData),
  subtleEncrypt: hostFunction(encrypt),
  deriveBits: hostFunction(deriveBits),
};
