import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  getCipherInfo,
  getCiphers,
} from "node:crypto";

import { hostFunction, type HostFunctions, inPieces, refuseWork } from "./answer.ts";

const maxCipherBytes = 32 * 1024 * 1024;
/** Key wrapping passes over its data many times; it is meant for keys. */
const maxWrappedBytes = 256 * 1024;
/** A thread can be terminated between pieces; bit-oriented modes are slower. */
const pieceBytes = 256 * 1024;
const bitPieceBytes = 8 * 1024;
/** Modes that take their data in one call. */
const wholeModes = new Set(["ccm", "ocb", "siv", "wrap", "xts"]);

interface CipherGiven {
  readonly name: string;
  readonly decrypt: boolean;
  /** False: the cipher takes none. */
  readonly hasIv: boolean;
  readonly authTagLength?: number;
  readonly plaintextLength?: number;
  readonly autoPadding: boolean;
  readonly hasAad: boolean;
  readonly hasTag: boolean;
  /** False: more data will follow. */
  readonly final: boolean;
  /** Bytes of the output that the guest has already. */
  readonly from: number;
}

const shortTags = [4, 8, 12, 13, 14, 15];
const aeadModes = new Set(["gcm", "ccm", "ocb"]);

/** Modes with an authentication tag. */
const isAead = (name: string): boolean =>
  name.toLowerCase() === "chacha20-poly1305" || aeadModes.has(getCipherInfo(name)?.mode ?? "");

function checkSize(name: string, size: number): void {
  const most = getCipherInfo(name)?.mode === "wrap" ? maxWrappedBytes : maxCipherBytes;
  if (size > most) refuseWork(`${name} over ${size} bytes`, `${most} bytes`);
}

type Parts = readonly [key: Uint8Array, iv: Uint8Array, aad: Uint8Array, tag: Uint8Array, data: Uint8Array];

function start(given: CipherGiven, [key, iv, aad, tag]: Parts): CipherGCM | DecipherGCM {
  const { name, plaintextLength } = given;
  // Node prints a warning on the host's standard error for short tags whose length is not given.
  const isShort = given.decrypt && given.hasTag && name.toLowerCase().endsWith("gcm") && shortTags.includes(tag.length);
  const authTagLength = given.authTagLength ?? (isShort ? tag.length : undefined);
  const options = { ...(authTagLength !== undefined && { authTagLength }) } as { authTagLength: number };
  // Node declares a type per mode; at run time they are one class.
  const gcm = name as "aes-256-gcm";
  const vector = given.hasIv ? iv : (null as unknown as Uint8Array);
  const cipher = given.decrypt
    ? createDecipheriv(gcm, key, vector, options)
    : createCipheriv(gcm, key, vector, options);
  if (given.hasTag) (cipher as DecipherGCM).setAuthTag(tag);
  if (given.hasAad) cipher.setAAD(aad, plaintextLength === undefined ? undefined : { plaintextLength });
  if (!given.autoPadding) cipher.setAutoPadding(false);
  return cipher;
}

/** The new part of the output for all data so far; the last one of an authenticated encryption ends with the tag. */
function run(given: CipherGiven, ...parts: Uint8Array[]): Uint8Array {
  const [key = none, iv = none, aad = none, tag = none, data = none] = parts;
  checkSize(given.name, data.length);
  const cipher = start(given, [key, iv, aad, tag, data]);
  const size = wholeModes.has(getCipherInfo(given.name)?.mode ?? "")
    ? data.length
    : /cfb1$/i.test(given.name)
      ? bitPieceBytes
      : pieceBytes;
  const output = Array.from(inPieces(data, size), (piece) => cipher.update(piece));
  if (given.final) {
    output.push(cipher.final());
    if (!given.decrypt && isAead(given.name)) output.push((cipher as CipherGCM).getAuthTag());
  }
  return Buffer.concat(output).subarray(given.from);
}

const none = new Uint8Array(0);

interface InfoGiven {
  readonly nameOrNid: string;
  readonly options?: { readonly keyLength?: number; readonly ivLength?: number };
}

/** Ciphers with a key and an initialization vector. */
export const cipherFunctions: HostFunctions = {
  ciphers: () => getCiphers(),
  cipherInfo: hostFunction(({ nameOrNid, options }: InfoGiven) => getCipherInfo(nameOrNid, options)),
  /** Throws the constructor's errors. */
  checkCipher: hostFunction((given: CipherGiven, key, iv) => {
    start({ ...given, hasAad: false, hasTag: false }, [key ?? none, iv ?? none, none, none, none]);
    return isAead(given.name);
  }),
  /** Throws the errors of `setAuthTag`. */
  checkTag: hostFunction((given: CipherGiven, key, iv, tag) => {
    start({ ...given, hasAad: false }, [key, iv, none, tag, none]);
  }),
  cipher: hostFunction(run),
};
