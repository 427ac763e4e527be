import {
  constants,
  createECDH,
  createSign,
  createVerify,
  diffieHellman,
  ECDH,
  type KeyObject,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  sign,
  verify,
} from "node:crypto";

import { hostFunction, type HostFunctions } from "./answer.ts";
import { type KeyGiven, readKey } from "./keys.ts";

interface Options {
  readonly padding?: number;
  readonly saltLength?: number;
  readonly dsaEncoding?: "der" | "ieee-p1363";
  readonly oaepHash?: string;
  /** In base64. */
  readonly oaepLabel?: string;
}

interface SignGiven {
  readonly key: KeyGiven;
  readonly algorithm: string | null;
  readonly options: Options;
  /** Uses the classes, which accept fewer keys than the functions. */
  readonly streamed: boolean;
}

const withKey = (key: KeyObject, options: Options): Options & { key: KeyObject } => ({ ...options, key });

interface CryptGiven {
  readonly key: KeyGiven;
  readonly kind: "publicEncrypt" | "publicDecrypt" | "privateEncrypt" | "privateDecrypt";
  readonly options: Options;
}

function crypt({ key, kind, options }: CryptGiven, bytes: Uint8Array, data: Uint8Array): Uint8Array {
  const { oaepLabel, ...rest } = options;
  const label = oaepLabel === undefined ? {} : { oaepLabel: Buffer.from(oaepLabel, "base64") };
  const role = kind.startsWith("public") ? "public" : "private";
  const input = { ...rest, ...label, key: readKey(key, bytes, role) };
  switch (kind) {
    case "publicEncrypt":
      return publicEncrypt(input, data);
    case "publicDecrypt":
      return publicDecrypt(input, data);
    case "privateEncrypt":
      return privateEncrypt(input, data);
    default:
      return privateDecrypt(input, data);
  }
}

interface EcdhGiven {
  readonly curve: string;
  readonly compress: "compressed" | "uncompressed" | "hybrid";
}

/** Functions for key pairs. */
export const signFunctions: HostFunctions = {
  cryptoConstants: () => constants,
  /** Throws the constructors' errors. */
  checkSign: hostFunction(({ algorithm }: { algorithm: string }) => {
    createSign(algorithm);
  }),
  sign: hostFunction(({ key, algorithm, options, streamed }: SignGiven, bytes, data) => {
    const input = withKey(readKey(key, bytes, "private"), options);
    return streamed ? createSign(String(algorithm)).update(data).sign(input) : sign(algorithm, data, input);
  }),
  verify: hostFunction(({ key, algorithm, options, streamed }: SignGiven, bytes, data, signature) => {
    const input = withKey(readKey(key, bytes, "public"), options);
    return streamed
      ? createVerify(String(algorithm)).update(data).verify(input, signature)
      : verify(algorithm, data, input, signature);
  }),
  crypt: hostFunction(crypt),
  diffieHellman: hostFunction(
    ({ privateKey, publicKey }: { privateKey: KeyGiven; publicKey: KeyGiven }, privateBytes, publicBytes) =>
      diffieHellman({
        privateKey: readKey(privateKey, privateBytes, "private"),
        publicKey: readKey(publicKey, publicBytes, "public"),
      }),
  ),
  /** Throws the constructor's errors. */
  checkCurve: hostFunction(({ curve }: EcdhGiven) => {
    createECDH(curve);
  }),
  ecdhConvert: hostFunction(({ curve, compress }: EcdhGiven, point) =>
    ECDH.convertKey(Buffer.from(point), curve, undefined, undefined, compress),
  ),
  ecdhPublic: hostFunction(({ curve, compress }: EcdhGiven, privateKey) => {
    const ecdh = createECDH(curve);
    ecdh.setPrivateKey(privateKey);
    return ecdh.getPublicKey(null, compress);
  }),
  ecdhSecret: hostFunction(({ curve }: EcdhGiven, privateKey, publicKey) => {
    const ecdh = createECDH(curve);
    ecdh.setPrivateKey(privateKey);
    return ecdh.computeSecret(publicKey);
  }),
};
