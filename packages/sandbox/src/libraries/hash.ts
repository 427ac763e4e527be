import crypto, { createHash, createHmac, getHashes, hkdfSync, pbkdf2Sync, scryptSync } from "node:crypto";

import { hostFunction, type HostFunctions, inPieces, refuseWork } from "./answer.ts";

/** Bytes of a digest whose length can be chosen. */
const longestDigest = 1024 * 1024;
const longestKey = 1024 * 1024;
/** Rounds of pbkdf2 with a fast hash; about a quarter of a second. */
const maxRounds = 1_000_000;
const fastHashes = new Set(["md5", "sha1", "sha224", "sha256"]);
/** One round of any other hash counts as this many. */
const slowHashCost = 4;
/** N * r * p of scrypt: N = 2^17 with r = 8, about half a second and 128 MiB. */
const maxMixes = 2 ** 20;
const bytesOfMix = 128;
/** A salt is hashed for each block of output; one round takes as long as this many bytes of it. */
const saltBytesOfRound = 128;
const hashedAtOnce = 1024 * 1024;
const defaultMemory = 32 * 1024 * 1024;
/** The longer of salt and key in bytes, times r, times p; hashed four times. */
const maxScryptBytes = 16 * 1024 * 1024;

interface Digest {
  readonly algorithm: string;
  readonly outputLength?: number;
}

function checkOutput(outputLength: number | undefined): void {
  if (outputLength !== undefined && outputLength > longestDigest)
    refuseWork(`A digest of ${outputLength} bytes`, `${longestDigest} bytes`);
}

function digest({ algorithm, outputLength }: Digest, data: Uint8Array): Uint8Array {
  checkOutput(outputLength);
  return feed(createHash(algorithm, outputLength === undefined ? undefined : { outputLength }), data).digest();
}

/** Hashes in pieces, so that the thread can be terminated in between. */
export function feed<Hashing extends { update(data: Uint8Array): unknown }>(
  hashing: Hashing,
  data: Uint8Array,
): Hashing {
  for (const piece of inPieces(data, hashedAtOnce)) hashing.update(piece);
  return hashing;
}

interface Derivation {
  readonly digest: string;
  readonly keylen: number;
}

/** Blocks of the hash's size in a key of this length. */
function blocksOf({ digest, keylen }: Derivation): number {
  try {
    return Math.max(1, Math.ceil(keylen / createHash(digest).digest().length));
  } catch {
    // Node reports the unknown name.
    return 1;
  }
}

/** Refuses a derivation during which a thread could not be terminated. */
export function checkRounds(given: Derivation & { readonly iterations: number }, salt: Uint8Array): void {
  const cost = fastHashes.has(given.digest.toLowerCase().replace("-", "")) ? 1 : slowHashCost;
  const most = Math.floor(maxRounds / (cost * blocksOf(given)));
  if (given.keylen > longestKey) refuseWork(`A key of ${given.keylen} bytes`, `${longestKey} bytes`);
  if (given.iterations > most) refuseWork(`pbkdf2 with ${given.iterations} iterations`, `${most} iterations`);
  const maxSalt = most * saltBytesOfRound;
  if (salt.length > maxSalt) refuseWork(`pbkdf2 with a salt of ${salt.length} bytes`, `${maxSalt} bytes`);
}

interface Scrypt {
  readonly keylen: number;
  readonly N?: number;
  readonly r?: number;
  readonly p?: number;
  readonly maxmem?: number;
}

function scrypt({ keylen, ...cost }: Scrypt, password: Uint8Array, salt: Uint8Array): Uint8Array {
  const { N = 16_384, r = 8, p = 1, maxmem = defaultMemory } = cost;
  // Costs beyond `maxmem` fail at once; 0 means the default.
  if (bytesOfMix * N * r <= (maxmem || defaultMemory) && N * r * p > maxMixes)
    refuseWork(`scrypt with N=${N}, r=${r}, p=${p}`, `N * r * p = ${maxMixes}`);
  if (keylen > longestKey) refuseWork(`A key of ${keylen} bytes`, `${longestKey} bytes`);
  // The mixed blocks are derived with the salt, and are the salt of the output.
  if (p * r * Math.max(salt.length, keylen) > maxScryptBytes)
    refuseWork(`scrypt with r=${r}, p=${p}, a salt of ${salt.length} and a key of ${keylen} bytes`, "less of each");
  // Not the other names that Node accepts: they have not been checked.
  return scryptSync(password, salt, keylen, { N, r, p, maxmem });
}

/** Digests, message authentication codes and key derivation. */
export const hashFunctions: HostFunctions = {
  hashes: () => getHashes(),
  /** Throws the errors of `createHash`. */
  checkHash: hostFunction(({ algorithm, outputLength }: Digest) => {
    createHash(algorithm, outputLength === undefined ? undefined : { outputLength: Math.min(outputLength, 64) });
  }),
  hash: hostFunction(digest),
  /** As `hash`, with the errors of Node's `crypto.hash`. */
  hashOnce: hostFunction(({ algorithm, outputLength }: Digest, data) => {
    if (outputLength !== undefined) return digest({ algorithm, outputLength }, data);
    return data.length > hashedAtOnce ? digest({ algorithm }, data) : crypto.hash(algorithm, data, "buffer");
  }),
  checkHmac: hostFunction(({ algorithm }: Digest) => {
    createHmac(algorithm, "");
  }),
  hmac: hostFunction(({ algorithm }: Digest, key, data) => feed(createHmac(algorithm, key), data).digest()),
  pbkdf2: hostFunction((given: Derivation & { readonly iterations: number }, password, salt) => {
    checkRounds(given, salt);
    return pbkdf2Sync(password, salt, given.iterations, given.keylen, given.digest);
  }),
  hkdf: hostFunction(
    ({ digest, keylen }: Derivation, key, salt, info) => new Uint8Array(hkdfSync(digest, key, salt, info, keylen)),
  ),
  scrypt: hostFunction(scrypt),
};
