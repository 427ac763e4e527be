import { codesOf, type Finder, leastLength, type Span } from "./secret-finder.ts";
import type { Codes } from "./sorted-texts.ts";

/** A decoded text, with the position of each character in the encoded text. */
interface View {
  readonly text: Codes;
  /** Where each character begins in the encoded text; the last entry is the end of the text. */
  readonly starts: Int32Array;
}

/** Shorter secrets would be found by chance: almost any text is valid base64 or hex. */
const leastEncoded = 8;
const [leastBase64, leastHex] = [11, 16];
const [inBase64, inHex] = [1, 2];

/** Alphabets that contain a character, as bits. */
const alphabets = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
  alphabets[letter.charCodeAt(0)] = inBase64;
for (const digit of "0123456789abcdefABCDEF") alphabets[digit.charCodeAt(0)] = inBase64 | inHex;

/** Runs of at least `least` characters of an alphabet. */
function findRuns(text: Codes, alphabet: number, least: number): Span[] {
  const runs: Span[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text[at] ?? 0;
    if (code < 128 && ((alphabets[code] ?? 0) & alphabet) !== 0) continue;
    if (at - from >= least) runs.push([from, at]);
    from = at + 1;
  }
  return runs;
}

/** Values of the digits of base64 and of hex, by their codes. */
const sixBits = new Uint8Array(128);
for (const [value, code] of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").entries())
  sixBits[code] = value;
[sixBits[45], sixBits[95]] = [62, 63];
const fourBits = new Uint8Array(128);
for (const [place, code] of Buffer.from("0123456789abcdefABCDEF").entries())
  fourBits[code] = place < 16 ? place : place - 6;

/** Decodes digits, which have `width` bits each, into whole bytes. */
function decodeDigits(digits: Codes, values: Uint8Array, width: number, into: Codes): Codes {
  let count = 0;
  let held = 0;
  let bits = 0;
  for (let at = 0; at < digits.length; at++) {
    held = (held << width) | (values[digits[at] ?? 0] ?? 0);
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    into[count++] = (held >> bits) & 255;
  }
  return into.subarray(0, count);
}

/** Decodes base64 from each of its four alignments: a secret may begin at any byte of the encoded data. */
function findInBase64(finder: Finder, text: Codes): Span[] {
  const found: Span[] = [];
  const bytes = new Uint16Array(text.length);
  for (const [begin, end] of findRuns(text, inBase64, leastBase64)) {
    for (let start = begin; start < begin + 4; start++) {
      const decoded = decodeDigits(text.subarray(start, end), sixBits, 6, bytes);
      for (const [from, to] of finder.find(decoded, leastEncoded, true)) {
        let last = start + Math.ceil((to * 8) / 6);
        if (last >= end) while (text[last] === equals) last += 1;
        found.push([start + Math.floor((from * 8) / 6), last]);
      }
    }
  }
  return found;
}

function findInHex(finder: Finder, text: Codes): Span[] {
  const found: Span[] = [];
  const bytes = new Uint16Array(text.length);
  for (const [begin, end] of findRuns(text, inHex, leastHex)) {
    for (const start of [begin, begin + 1]) {
      const decoded = decodeDigits(text.subarray(start, end), fourBits, 4, bytes);
      for (const [from, to] of finder.find(decoded, leastEncoded, true)) found.push([start + 2 * from, start + 2 * to]);
    }
  }
  return found;
}

/** Decodes the character at a position; returns it and its encoded length. */
type Read = (text: Codes, at: number) => readonly [code: number, length: number];

function decode(text: Codes, read: Read): View {
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const [code, length] = read(text, at);
    codes[count] = code;
    starts[count] = at;
    at += length;
  }
  starts[count] = text.length;
  return { text: codes.subarray(0, count), starts };
}

const equals = 61;
const backslash = 92;
const percent = 37;
const plus = 43;
const space = 32;
const shortEscapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }).map(([letter, code]) => [letter.charCodeAt(0), code]),
);

/** The number that hex digits represent; undefined when they are not hex digits. */
function readHex(text: Codes, at: number, digits: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const code = text[index] ?? 0;
    if (code >= 128 || ((alphabets[code] ?? 0) & inHex) === 0) return undefined;
    value = value * 16 + (code < 58 ? code - 48 : (code & 31) + 9);
  }
  return value;
}

const readJson: Read = (text, at) => {
  const code = text[at] ?? 0;
  if (code !== backslash || at + 1 === text.length) return [code, 1];
  const next = text[at + 1] ?? 0;
  const digits = next === 117 ? 4 : next === 120 ? 2 : 0;
  if (digits === 0) return [shortEscapes.get(next) ?? next, 2];
  const meant = readHex(text, at + 2, digits);
  return meant === undefined ? [code, 1] : [meant, 2 + digits];
};

const readQuery =
  (ofPlus: number): Read =>
  (text, at) => {
    const code = text[at] ?? 0;
    if (code === plus) return [ofPlus, 1];
    const meant = code === percent ? readHex(text, at + 1, 2) : undefined;
    return meant === undefined ? [code, 1] : [meant, 3];
  };

/** Spans of the decoded text as spans of the encoded text. */
const toEncoded = ({ starts }: View, spans: readonly Span[]): Span[] =>
  spans.map(([from, to]) => [starts[from] ?? 0, starts[to] ?? 0]);

type Find = (text: Codes) => Span[];

/** In JSON strings, and in JSON inside of JSON strings. */
function findInJson(find: Find, text: Codes, levels: number): Span[] {
  if (levels === 0 || !text.includes(backslash)) return [];
  const view = decode(text, readJson);
  return toEncoded(view, [...find(view.text), ...findInJson(find, view.text, levels - 1)]);
}

function findInQuery(find: Find, text: Codes): Span[] {
  const pluses = [...(text.includes(percent) ? [plus] : []), ...(text.includes(plus) ? [space] : [])];
  return pluses.flatMap((ofPlus) => {
    const view = decode(text, readQuery(ofPlus));
    return toEncoded(view, find(view.text));
  });
}

/** Spans of secrets in a text: as written, in base64 and hex if `decodes`, and each of these in JSON strings and URLs. */
export function findEncoded(finder: Finder, given: string, decodes: boolean): Span[] {
  const text = codesOf(given);
  const plain: Find = (each) => finder.find(each, leastLength, true);
  const find: Find = decodes
    ? (each) => [...plain(each), ...findInBase64(finder, each), ...findInHex(finder, each)]
    : plain;
  return [...find(text), ...findInJson(find, text, 2), ...findInQuery(find, text)];
}

/** Forms of a secret in a text that was decoded from bytes as UTF-8 or as Latin-1. */
export const formsOf = (secret: string): string[] => [secret, Buffer.from(secret).toString("latin1")];
