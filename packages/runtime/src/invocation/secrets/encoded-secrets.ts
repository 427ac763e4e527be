import type { Budget, Steps } from "@x/model";
import { codesOf, type Finder, minLength, type Span } from "./secret-finder.ts";
import type { Codes } from "./sorted-texts.ts";

/** A decoded text, with the position of each character in the encoded text. */
interface View {
  readonly text: Codes;
  /** Where each character begins in the encoded text; the last entry is the end of the text. */
  readonly starts: Int32Array;
}

/** Shorter secrets would be found by chance: almost any text is valid base64 or hex. */
const minEncoded = 8;
const [minBase64, minHex] = [11, 16];
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

/** What a search of one text shares. */
interface Search {
  readonly finder: Finder;
  readonly budget: Budget;
}

/** Decodes base64 from each of its four alignments: a secret may begin at any byte of the encoded data. */
function* findInBase64({ finder, budget }: Search, text: Codes): Steps<Span[]> {
  const found: Span[] = [];
  const bytes = new Uint16Array(text.length);
  for (const [begin, end] of findRuns(text, inBase64, minBase64)) {
    for (let start = begin; start < begin + 4; start++) {
      const decoded = decodeDigits(text.subarray(start, end), sixBits, 6, bytes);
      for (const [from, to] of yield* finder.findInSteps(decoded, minEncoded, budget)) {
        let last = start + Math.ceil((to * 8) / 6);
        if (last >= end) while (text[last] === equals) last += 1;
        found.push([start + Math.floor((from * 8) / 6), last]);
      }
    }
  }
  return found;
}

function* findInHex({ finder, budget }: Search, text: Codes): Steps<Span[]> {
  const found: Span[] = [];
  const bytes = new Uint16Array(text.length);
  for (const [begin, end] of findRuns(text, inHex, minHex)) {
    for (const start of [begin, begin + 1]) {
      const decoded = decodeDigits(text.subarray(start, end), fourBits, 4, bytes);
      for (const [from, to] of yield* finder.findInSteps(decoded, minEncoded, budget))
        found.push([start + 2 * from, start + 2 * to]);
    }
  }
  return found;
}

/** Decodes the character at a position; returns it and its encoded length as one number, because pairs take time. */
type Read = (text: Codes, at: number) => number;

const readCode = (code: number, length: number): number => code * 8 + length;
const emptyView: View = { text: new Uint16Array(0), starts: new Int32Array(1) };
/** Characters that are decoded in one step. */
const stepChars = 32 * 1024;

function* decode({ budget }: Search, text: Codes, read: Read): Steps<View> {
  if (!budget.take(text.length)) return emptyView;
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const next = read(text, at);
    codes[count] = next >> 3;
    starts[count] = at;
    at += next & 7;
    if (count % stepChars === stepChars - 1) yield;
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
  if (code !== backslash || at + 1 === text.length) return readCode(code, 1);
  const next = text[at + 1] ?? 0;
  const digits = next === 117 ? 4 : next === 120 ? 2 : 0;
  if (digits === 0) return readCode(shortEscapes.get(next) ?? next, 2);
  const meant = readHex(text, at + 2, digits);
  return meant === undefined ? readCode(code, 1) : readCode(meant, 2 + digits);
};

const readQuery =
  (ofPlus: number): Read =>
  (text, at) => {
    const code = text[at] ?? 0;
    if (code === plus) return readCode(ofPlus, 1);
    const meant = code === percent ? readHex(text, at + 1, 2) : undefined;
    return meant === undefined ? readCode(code, 1) : readCode(meant, 3);
  };

/** Spans of the decoded text as spans of the encoded text. */
const toEncoded = ({ starts }: View, spans: readonly Span[]): Span[] =>
  spans.map(([from, to]) => [starts[from] ?? 0, starts[to] ?? 0]);

type Find = (text: Codes) => Steps<Span[]>;

/** In JSON strings, and in JSON inside of JSON strings. */
function* findInJson(search: Search, find: Find, text: Codes, levels: number): Steps<Span[]> {
  if (levels === 0 || !text.includes(backslash)) return [];
  const view = yield* decode(search, text, readJson);
  const own = yield* find(view.text);
  const inside = yield* findInJson(search, find, view.text, levels - 1);
  return toEncoded(view, own.concat(inside));
}

function* findInQuery(search: Search, find: Find, text: Codes): Steps<Span[]> {
  const found: Span[][] = [];
  const pluses = [...(text.includes(percent) ? [plus] : []), ...(text.includes(plus) ? [space] : [])];
  for (const ofPlus of pluses) {
    const view = yield* decode(search, text, readQuery(ofPlus));
    found.push(toEncoded(view, yield* find(view.text)));
  }
  return found.flat();
}

const encoded = /[\\%+]|[A-Za-z0-9+/_-]{11}/;

/** False only for a text without secrets in any form; much faster than to find them. */
export const mayBeFound = (finder: Finder, text: string): boolean => encoded.test(text) || finder.mayFind(text);

/**
 * Spans of secrets in a text: as written, in base64 and hex if `decodes`, and each of these in JSON strings and URLs. They
 * are not all when the budget is used up.
 */
export function* findEncoded(search: Search, given: string, decodes: boolean): Steps<Span[]> {
  const text = codesOf(given);
  const find: Find = function* (each) {
    const plain = yield* search.finder.findInSteps(each, minLength, search.budget);
    if (!decodes) return plain;
    return plain.concat(yield* findInBase64(search, each), yield* findInHex(search, each));
  };
  const plain = yield* find(text);
  return plain.concat(yield* findInJson(search, find, text, 2), yield* findInQuery(search, find, text));
}

/** Forms of a secret in a text that was decoded from bytes as UTF-8 or as Latin-1. */
export const formsOf = (secret: string): string[] =>
  Buffer.byteLength(secret) === secret.length ? [secret] : [secret, Buffer.from(secret).toString("latin1")];
