import { atOnce, type Budget, type Steps } from "@x/model";
import { type Codes, commonLength, type SortedTexts, sortTexts } from "./sorted-texts.ts";

/** Start (inclusive) and end (exclusive) of a part of a text. */
export type Span = readonly [number, number];

/** Finds many texts in one text, in one pass. */
export interface Finder {
  /** True without texts to find. */
  readonly isEmpty: boolean;
  /** False only for a text in which there are none: much faster than to find them. */
  mayFind(text: string): boolean;
  /** Occurrences of at least `least` characters, by their start; they may overlap, unless it `joins` those that do. */
  find(text: Codes, least?: number, joins?: boolean): Span[];
  /** The same in steps, joining; what is found is not all when the budget is used up. */
  findInSteps(text: Codes, least: number, budget: Budget): Steps<Span[]>;
}

/** Characters that are searched in one step: about a millisecond. */
const stepChars = 32 * 1024;
/** Comparing a text that begins like a wanted one, in steps of the budget. */
const stepsPerHit = 20;

/** UTF-16 code units of a text. */
export function codesOf(text: string): Uint16Array {
  const bytes = new ArrayBuffer(2 * text.length);
  Buffer.from(bytes).write(text, "utf16le");
  return new Uint16Array(bytes);
}

/** Shortest text that can be found, in characters. */
export const minLength = 6;
/** Longer texts are found by their first characters and extended from there, so that the work for each text is bounded. */
const keyLength = 64;
const bitsPerKey = 16;
const [fewestBits, maxBits] = [13, 21];
/** Bits per character in the rolling hash: only the last six characters count. */
const step = 5;
const windowMask = 2 ** (step * minLength) - 1;

const spread = 0x9e3779b1;

/** Hash of the first six characters. */
function firstWindow(text: string): number {
  let window = 0;
  for (let at = 0; at < minLength; at++) window = ((window << step) ^ text.charCodeAt(at)) & windowMask;
  return window;
}

/** For each sorted key, the index of the longest other key that is its prefix; -1 for none. */
function findParents(keys: readonly string[]): Int32Array {
  const parents = new Int32Array(keys.length).fill(-1);
  for (let index = 1; index < keys.length; index++) {
    let parent = index - 1;
    while (parent >= 0 && !keys[index]?.startsWith(keys[parent] ?? "")) parent = parents[parent] ?? -1;
    parents[index] = parent;
  }
  return parents;
}

/** A search that can be continued. */
interface Search {
  readonly found: [number, number][];
  readonly least: number;
  readonly joins: boolean;
  readonly budget: Budget | undefined;
  next: number;
  window: number;
  end: number;
}

/** Finds texts of at least six characters; shorter ones are ignored. The time per searched text does not grow with their number. */
export function createFinder(wanted: Iterable<string>): Finder {
  const short = new Set<string>();
  const long = new Map<string, Set<string>>();
  for (const text of wanted) {
    if (text.length < minLength) continue;
    const key = text.length > keyLength ? text.slice(0, keyLength) : text;
    short.add(key);
    if (text.length <= keyLength) continue;
    const known = long.get(key);
    if (known) known.add(text);
    else long.set(key, new Set([text]));
  }
  const sorted = sortTexts(short);
  const keys = sorted.texts;
  const longer = new Map<string, SortedTexts>();
  for (const [key, texts] of long) longer.set(key, sortTexts(texts));
  const parents = findParents(keys);
  const bits = Math.min(maxBits, Math.max(fewestBits, Math.ceil(Math.log2(keys.length * bitsPerKey + 1))));
  const begins = new Uint8Array(2 ** bits);
  for (const key of keys) begins[Math.imul(firstWindow(key), spread) >>> (32 - bits)] = 1;

  function lengthAt(text: Codes, at: number, isInside: boolean): number {
    const { index: before, common } = sorted.findBefore(text, at);
    let index = before;
    while (index >= 0 && (keys[index] ?? "").length > common) index = parents[index] ?? -1;
    const key = keys[index];
    if (key === undefined) return 0;
    // Inside of an occurrence only the first characters are compared: each character is read a bounded number of times.
    const others = isInside || key.length < keyLength ? undefined : longer.get(key);
    if (!others) return key.length;
    // What has most in common with the codes is beside them in the order.
    const { index: last, common: reach } = others.findBefore(text, at);
    return Math.max(key.length, reach, commonLength(text, at, others.texts[last + 1] ?? ""));
  }

  /** Searches for texts that begin before `until`; `search` is where it stopped. */
  function searchOn(search: Search, text: Codes, until: number): void {
    const { found, least, joins, budget } = search;
    const shift = 32 - bits;
    let { next, window, end } = search;
    for (; next < until; next++) {
      window = ((window << step) ^ (text[next] ?? 0)) & windowMask;
      if (begins[Math.imul(window, spread) >>> shift] === 0) continue;
      const at = next - minLength + 1;
      if (at < 0) continue;
      if (budget?.take(stepsPerHit) === false) break;
      const reach = lengthAt(text, at, at < end);
      if (reach < least) continue;
      const known = joins && at < end ? found.at(-1) : undefined;
      end = Math.max(end, at + reach);
      if (known) known[1] = end;
      else found.push([at, at + reach]);
    }
    Object.assign(search, { next, window, end });
  }

  function* findInSteps(text: Codes, least: number, joins: boolean, budget?: Budget): Steps<[number, number][]> {
    const found: [number, number][] = [];
    if (keys.length === 0 || text.length < minLength) return found;
    const search: Search = { found, least, joins, budget, next: 0, window: 0, end: 0 };
    for (let until = 0; until < text.length;) {
      if (until > 0) yield;
      const from = until;
      until = Math.min(text.length, from + stepChars);
      if (budget?.take(until - from) === false) break;
      searchOn(search, text, until);
    }
    return found;
  }

  function mayFind(text: string): boolean {
    let window = 0;
    for (let next = 0; next < text.length; next++) {
      window = ((window << step) ^ text.charCodeAt(next)) & windowMask;
      if (begins[Math.imul(window, spread) >>> (32 - bits)] === 1 && next >= minLength - 1) return true;
    }
    return false;
  }

  return {
    isEmpty: keys.length === 0,
    mayFind,
    find: (text, least = minLength, joins = false) => atOnce(findInSteps(text, least, joins)),
    findInSteps: (text, least, budget) => findInSteps(text, least, true, budget),
  };
}
