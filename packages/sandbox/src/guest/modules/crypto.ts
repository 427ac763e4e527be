import { askCrypto } from "x:host";

import { createECDH, diffieHellman, ECDH, getCurves } from "../node/crypto/agreement.ts";
import {
  Cipheriv,
  createCipheriv,
  createDecipheriv,
  Decipheriv,
  getCipherInfo,
  getCiphers,
} from "../node/crypto/cipher.ts";
import { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync, timingSafeEqual } from "../node/crypto/derive.ts";
import { createHash, createHmac, getHashes, Hash, hash, Hmac } from "../node/crypto/hash.ts";
import { createPrivateKey, createPublicKey } from "../node/crypto/key-input.ts";
import { createSecretKey, KeyObject } from "../node/crypto/key-object.ts";
import { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync } from "../node/crypto/key-pair.ts";
import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from "../node/crypto/random.ts";
import {
  createSign,
  createVerify,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  Sign,
  sign,
  Verify,
  verify,
} from "../node/crypto/sign.ts";

const webcrypto = crypto;

// oxfmt-ignore
export default {
  Cipheriv, Decipheriv, ECDH, Hash, Hmac, KeyObject, Sign, Verify, createCipheriv, createDecipheriv, createECDH,
  createHash, createHmac, createPrivateKey, createPublicKey, createSecretKey, createSign, createVerify,
  diffieHellman, generateKey, generateKeyPair, generateKeyPairSync, generateKeySync, getCipherInfo, getCiphers,
  getCurves, getHashes, hash, hkdf, hkdfSync, pbkdf2, pbkdf2Sync, privateDecrypt, privateEncrypt, publicDecrypt,
  publicEncrypt, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, scrypt, scryptSync, sign,
  timingSafeEqual, verify, webcrypto,
  constants: askCrypto("cryptoConstants", {}),
  getFips: (): number => 0,
  getRandomValues: (array: Uint8Array<ArrayBuffer>): Uint8Array => webcrypto.getRandomValues(array),
  pseudoRandomBytes: randomBytes,
  rng: randomBytes,
  prng: randomBytes,
  get subtle(): unknown {
    return webcrypto.subtle;
  },
};
