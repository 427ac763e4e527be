export const integerTag = 0x02;
export const octetsTag = 0x04;
export const objectIdTag = 0x06;
export const sequenceTag = 0x30;
const constructedBit = 0x20;

/** A value in the encoding of keys (DER), such as a number or a list. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

/** A number without a sign; Infinity when it is long. */
export const readNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** The element at a place; undefined when it is none, such as one of BER's open lengths. */
export function readElement(bytes: Uint8Array, at: number): Element | undefined {
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

/** Calls `visit` for every element of a list and of the lists in it. False: that is no DER. */
export function walkElements(bytes: Uint8Array, visit: (element: Element) => void): boolean {
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes, at);
    if (!element) return false;
    visit(element);
    if ((element.tag & constructedBit) !== 0 && !walkElements(element.content, visit)) return false;
    at = element.end;
  }
  return true;
}
