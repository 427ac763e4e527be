/** UTF-16 code units of a text, or bytes: of one type, because the engine reads arrays of two types more slowly. */
export type Codes = Uint16Array;

/** The last text that is not greater than the codes from a position on. */
export interface Neighbour {
  /** -1 for none. */
  readonly index: number;
  /** How many characters it has in common with the codes. */
  readonly common: number;
}

/** Texts in their order. */
export interface SortedTexts {
  readonly texts: readonly string[];
  /** Reads each of the codes about once, however many texts begin alike. */
  findBefore(text: Codes, at: number): Neighbour;
}

/** Number of equal characters of a text and of the codes from a position on, of which the first `known` are equal. */
export function commonLength(text: Codes, at: number, other: string, known = 0): number {
  const most = Math.min(other.length, text.length - at);
  let length = known;
  while (length < most && text[at + length] === other.charCodeAt(length)) length += 1;
  return length;
}

function commonBeginning(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** For the middle of each range that a search can reach: what it has in common with the texts before and after the range. */
interface Commons {
  readonly before: Uint32Array;
  readonly after: Uint32Array;
}

const middleOf = (low: number, high: number): number => (low + high) >>> 1;

function prepare(texts: readonly string[]): Commons {
  const commons = { before: new Uint32Array(texts.length), after: new Uint32Array(texts.length) };
  const fill = (low: number, high: number): void => {
    if (low >= high) return;
    const middle = middleOf(low, high);
    const text = texts[middle] ?? "";
    commons.before[middle] = commonBeginning(text, texts[low - 1] ?? "");
    commons.after[middle] = commonBeginning(text, texts[high] ?? "");
    fill(low, middle);
    fill(middle + 1, high);
  };
  fill(0, texts.length);
  return commons;
}

/** Sorts texts for searches. */
export function sortTexts(given: Iterable<string>): SortedTexts {
  const texts = [...given].sort();
  let prepared: Commons | undefined;
  return {
    texts,
    findBefore(text, at) {
      const { before, after } = (prepared ??= prepare(texts));
      let low = 0;
      let high = texts.length;
      // What the texts before and after the range have in common with the codes.
      let commonLow = 0;
      let commonHigh = 0;
      while (low < high) {
        const middle = middleOf(low, high);
        const nearLow = commonLow >= commonHigh;
        const known = nearLow ? commonLow : commonHigh;
        const shared = (nearLow ? before[middle] : after[middle]) ?? 0;
        let common = Math.min(known, shared);
        let isBefore = shared > known === nearLow;
        if (shared === known) {
          const other = texts[middle] ?? "";
          common = commonLength(text, at, other, known);
          isBefore = common === other.length || other.charCodeAt(common) < (text[at + common] ?? -1);
        }
        if (isBefore) {
          low = middle + 1;
          commonLow = common;
        } else {
          high = middle;
          commonHigh = common;
        }
      }
      return { index: low - 1, common: commonLow };
    },
  };
}
