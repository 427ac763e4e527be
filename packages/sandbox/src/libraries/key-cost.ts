import type { KeyObject } from "node:crypto";

import { refuseWork } from "./answer.ts";

const integerTag = 0x02;
const octetsTag = 0x04;
const objectIdTag = 0x06;
const sequenceTag = 0x30;
const constructedBit = 0x20;

/** A value in DER, the encoding of keys: a number, a list and so on. */
interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

/** An unsigned number; Infinity for a very long one. */
const readNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** The element at an offset; undefined when it is malformed, or of BER's indefinite length. */
function readElement(bytes: Uint8Array, at: number): Element | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || first === 0x80) return undefined;
  const width = first < 0x80 ? 0 : first & 0x7f;
  if (width > 4) return undefined;
  const start = at + 2 + width;
  const length = width === 0 ? first : readNumber(bytes.subarray(at + 2, start));
  return start + length > bytes.length
    ? undefined
    : { tag, content: bytes.subarray(start, start + length), end: start + length };
}

/** Visits every element of a list, nested lists included. False: not DER. */
function walkElements(bytes: Uint8Array, visit: (element: Element) => void): boolean {
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes, at);
    if (!element) return false;
    visit(element);
    if ((element.tag & constructedBit) !== 0 && !walkElements(element.content, visit)) return false;
    at = element.end;
  }
  return true;
}

/** Rounds that derive a key from a passphrase; common tools use far fewer. */
const maxRounds = 1_000_000;
const maxMixes = 2 ** 20;
/** 1.3.6.1.4.1.11591.4.11 */
const scryptId = "2b06010401da47040b";

interface Found {
  readonly integers: number[];
  readonly ids: string[];
}

/** Collects every integer and object identifier of a list of elements. False: not DER. */
const collect = (bytes: Uint8Array, found: Found): boolean =>
  walkElements(bytes, ({ tag, content }) => {
    if (tag === integerTag) found.integers.push(readNumber(content));
    if (tag === objectIdTag) found.ids.push(Buffer.from(content).toString("hex"));
  });

/** Refuses an encrypted key (PKCS #8, DER) that declares too many rounds: a thread cannot be terminated during them. */
function checkRounds(der: Uint8Array): void {
  const outer = readElement(der, 0);
  const algorithm = outer && readElement(outer.content, 0);
  // Unencrypted keys begin with their version.
  if (algorithm?.tag === integerTag) return;
  const found: Found = { integers: [], ids: [] };
  if (algorithm?.tag !== sequenceTag || !collect(algorithm.content, found))
    throw new TypeError("The encrypted key is not in DER");
  const [n = 0, r = 1, p = 1] = found.integers;
  if (found.ids.includes(scryptId) && n * r * p > maxMixes)
    refuseWork(`A key encrypted by scrypt with N=${n}, r=${r}, p=${p}`, `N * r * p = ${maxMixes}`);
  const rounds = Math.max(0, ...found.integers);
  if (rounds > maxRounds) refuseWork(`A key encrypted with ${rounds} rounds`, `${maxRounds} rounds`);
}

const armour = /-----BEGIN ENCRYPTED PRIVATE KEY-----([\s\S]*?)-----END/g;

/** Checks a private key before OpenSSL reads it: the key itself declares how much work that is. */
export function checkEncryptedKey(key: Uint8Array, format: string | undefined): void {
  if (format === "der") return checkRounds(key);
  const text = Buffer.from(key).toString("latin1");
  const blocks = [...text.matchAll(armour)];
  if (blocks.length !== text.split("BEGIN ENCRYPTED").length - 1)
    throw new TypeError("The encrypted key is not in PEM");
  for (const [, base64 = ""] of blocks) checkRounds(Buffer.from(base64, "base64"));
}

/** Refuses factors and exponents of a private RSA key that are longer than the key: OpenSSL accepts them. */
export function checkFactors(key: KeyObject, bits: number): void {
  let longest = 0;
  const measure = (list: Uint8Array): boolean =>
    walkElements(list, ({ tag, content }) => {
      if (tag === integerTag) longest = Math.max(longest, (content.length - 1) * 8);
    });
  walkElements(key.export({ format: "der", type: "pkcs8" }), ({ tag, content }) => {
    // An octet string holds the numbers.
    if (tag === octetsTag) measure(content);
  });
  if (longest > bits + 8) refuseWork(`An RSA key of ${bits} bits with a number of ${longest} bits`, `${bits} bits`);
}
