import { readNumber, skipNumber } from "./wasm-binary.ts";

/** The operators that the rewriting looks at. */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  branchTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  firstLoad: 0x28,
  load: 0x28,
  loadWord: 0x29,
  load8: 0x2d,
  firstStore: 0x36,
  store8: 0x3a,
  lastStore: 0x3e,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  constant: 0x41,
  constantWord: 0x42,
  isZero: 0x45,
  equal: 0x46,
  below: 0x49,
  differentWord: 0x52,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x71,
  or: 0x72,
  shiftLeft: 0x74,
  shiftRight: 0x76,
  trailingZeros: 0x7a,
  subtractWord: 0x7d,
  andWord: 0x83,
  orWord: 0x84,
  shiftRightWord: 0x88,
  wrap: 0xa7,
  prefix: 0xfc,
  vector: 0xfd,
  loadVector: 0x00,
  storeVector: 0x0b,
  orVector: 0x50,
  anyTrue: 0x53,
  memoryCopy: 0xfc_0a,
  memoryFill: 0xfc_0b,
} as const;

export const valueType = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c } as const;
/** The type of a block without a result. */
export const noResult = 0x40;
/** In the alignment of a load or store: an index of a memory follows. */
export const otherMemory = 0x40;

/** One instruction: its immediates are numbers, or not needed. */
export interface Operator {
  /** With a prefix: both bytes. */
  readonly code: number;
  readonly first: number;
  readonly second: number;
  readonly at: number;
  readonly end: number;
}

const unknown = (code: number): Error => new TypeError(`The engine uses operator 0x${code.toString(16)}`);

/** Reads an operator. Throws on one that is not known, because it could write to memory. */
export function readOperator(bytes: Uint8Array, at: number): Operator {
  const code = bytes[at] ?? 0;
  const next = at + 1;
  if (isPlain(code)) return { code, first: 0, second: 0, at, end: next };
  if (hasOneNumber(code)) {
    const { value, end } = readNumber(bytes, next);
    return { code, first: value, second: 0, at, end };
  }
  if (code === op.constant) {
    const { value, end } = readNumber(bytes, next);
    const isNegative = ((bytes[end - 1] ?? 0) & 0x40) !== 0;
    return { code, first: isNegative ? value - 2 ** (7 * (end - next)) : value, second: 0, at, end };
  }
  if (code === op.callIndirect || (code >= op.firstLoad && code <= op.lastStore)) {
    const first = readNumber(bytes, next);
    const second = readNumber(bytes, first.end);
    return { code, first: first.value, second: second.value, at, end: second.end };
  }
  if (code === 0x42) return { code, first: 0, second: 0, at, end: skipNumber(bytes, next) };
  if (code === 0x43) return { code, first: 0, second: 0, at, end: next + 4 };
  if (code === 0x44) return { code, first: 0, second: 0, at, end: next + 8 };
  if (code === op.branchTable) {
    let { value: left, end } = readNumber(bytes, next);
    for (; left >= 0; left -= 1) end = skipNumber(bytes, end);
    return { code, first: 0, second: 0, at, end };
  }
  if (code === op.prefix) return readPrefixed(bytes, at);
  throw unknown(code);
}

function readPrefixed(bytes: Uint8Array, at: number): Operator {
  const { value, end } = readNumber(bytes, at + 1);
  const code = (op.prefix << 8) | value;
  // Conversions of numbers.
  if (value <= 7) return { code, first: 0, second: 0, at, end };
  if (code === op.memoryCopy) return { code, first: bytes[end] ?? 0, second: bytes[end + 1] ?? 0, at, end: end + 2 };
  if (code === op.memoryFill) return { code, first: bytes[end] ?? 0, second: 0, at, end: end + 1 };
  throw unknown(code);
}

const isPlain = (code: number): boolean =>
  (code >= 0x45 && code <= 0xc4) ||
  code <= 0x01 ||
  code === op.else ||
  code === op.end ||
  code === op.return ||
  code === 0x1a ||
  code === 0x1b;

const hasOneNumber = (code: number): boolean =>
  (code >= op.block && code <= op.if) ||
  code === op.branch ||
  code === op.branchIf ||
  code === op.call ||
  (code >= op.localGet && code <= op.globalSet) ||
  code === op.memorySize ||
  code === op.memoryGrow;

interface Store {
  readonly type: number;
  readonly width: number;
}

const { i32, i64, f32, f64 } = valueType;
const stores: readonly Store[] = [
  { type: i32, width: 4 },
  { type: i64, width: 8 },
  { type: f32, width: 4 },
  { type: f64, width: 8 },
  { type: i32, width: 1 },
  { type: i32, width: 2 },
  { type: i64, width: 1 },
  { type: i64, width: 2 },
  { type: i64, width: 4 },
];

/** The type and width in bytes of what a store writes. */
export function storeOf(code: number): Store {
  const found = stores[code - op.firstStore];
  if (!found) throw unknown(code);
  return found;
}

/** How many values of the operand stack an operator without control flow or call takes; all but a few give one. */
export function operandsOf(code: number): { readonly takes: number; readonly gives: number } {
  const both = (takes: number, gives: number): { takes: number; gives: number } => ({ takes, gives });
  if (code === 0x01) return both(0, 0);
  if (code === 0x1a) return both(1, 0);
  if (code === 0x1b) return both(3, 1);
  if (code === op.localGet || code === op.globalGet) return both(0, 1);
  if (code === op.localSet || code === op.globalSet) return both(1, 0);
  if (code >= op.firstStore && code <= op.lastStore) return both(2, 0);
  if (code === op.memorySize || (code >= op.constant && code <= 0x44)) return both(0, 1);
  if (code === op.memoryCopy || code === op.memoryFill) return both(3, 0);
  return both(isBinary(code) ? 2 : 1, 1);
}

/** First and last codes of comparisons and operations of two numbers. */
const binaryRanges = [
  [0x46, 0x4f],
  [0x51, 0x66],
  [0x6a, 0x78],
  [0x7c, 0x8a],
  [0x92, 0x98],
  [0xa0, 0xa6],
] as const;

function isBinary(code: number): boolean {
  for (const [first, last] of binaryRanges) if (code >= first && code <= last) return true;
  return false;
}
