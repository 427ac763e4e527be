import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const lower = "0123456789abcdefghijklmnopqrstuvwxyz";

const poolBytes = 8_192;
let pool = Buffer.alloc(0);
let poolUsed = 0;

/** Takes random bytes from a pool, because each call of the system is slow. */
function takeRandom(count: number): Buffer {
  if (poolUsed + count > pool.length) {
    pool = randomBytes(poolBytes);
    poolUsed = 0;
  }
  poolUsed += count;
  return pool.subarray(poolUsed - count, poolUsed);
}

/** A text that was not concatenated: the pieces of a concatenated id take 300 bytes, and ids live long. */
const textOf = (characters: Buffer): string => characters.toString("latin1");

const codesOf = (letters: string): Buffer => Buffer.from(letters, "latin1");

function randomText(length: number, letters: string): string {
  const codes = codesOf(letters);
  const text = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    for (const byte of takeRandom(length * 2)) {
      // Bytes beyond the last whole multiple would favour the first letters.
      if (byte < 256 - (256 % letters.length) && filled < length) {
        text[filled] = codes[byte % letters.length] ?? 0;
        filled += 1;
      }
    }
  }
  return textOf(text);
}

export type IdPrefix = "sc" | "dc" | "u" | "p" | "wh" | "sub" | "asub" | "apn" | "con" | "dyp" | "d" | "c";

/** A random number from 0 to below 1. */
export const randomFraction = (): number => takeRandom(4).readUInt32BE(0) / 2 ** 32;

/** A seed for the random numbers of a realm. */
export const newSeed = (): [number, number] => [takeRandom(4).readUInt32BE(0), takeRandom(4).readUInt32BE(0)];

/** A random id with its prefix, such as `dc_Q9x2bLk0aZ`. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomText(10, alphabet)}`;

/** The id of a workflow that declares none: equal for the same user and name in every process. */
export function workflowIdOf(userId: string, name: string): string {
  const digest = createHash("sha256").update(`${userId}\n${name}`).digest();
  // 62 does not divide 256, so some letters are slightly more frequent, which is harmless here.
  return `p_${[...digest.subarray(0, 14)].map((byte) => alphabet[byte % alphabet.length]).join("")}`;
}

/** The secret of an HTTP endpoint: 28 lower-case characters, valid in a host name. */
export const newEndpointKey = (): string => randomText(28, lower);

export const newApiKey = (): string => randomText(40, alphabet);

const ksuidEpochSeconds = 1_400_000_000;
const digits = codesOf(alphabet);

/** A sortable id: 4 bytes of seconds and 16 random bytes as 27 characters in base62. */
export function newSortableId(nowMs: number): string {
  const words = new Uint32Array(5);
  words[0] = Math.max(0, Math.floor(nowMs / 1000) - ksuidEpochSeconds);
  const random = takeRandom(16);
  for (let word = 1; word < 5; word++) words[word] = random.readUInt32BE((word - 1) * 4);
  const text = Buffer.allocUnsafe(27);
  for (let at = 24; at >= 0; at -= 3) {
    // Long division of the 160-bit number by 62 ** 3, one word at a time: three digits, the last ones first.
    let rest = 0;
    for (let word = 0; word < 5; word++) {
      const value = rest * 4_294_967_296 + (words[word] ?? 0);
      const quotient = Math.floor(value / 238_328);
      words[word] = quotient;
      rest = value - quotient * 238_328;
    }
    text[at] = digits[Math.floor(rest / 3_844)] ?? 0;
    text[at + 1] = digits[Math.floor(rest / 62) % 62] ?? 0;
    text[at + 2] = digits[rest % 62] ?? 0;
  }
  return textOf(text);
}
