import {
  type Code,
  add,
  addressOf,
  below,
  both,
  constant,
  either,
  equal,
  fillMarks,
  get,
  loop,
  markOf,
  next,
  not,
  pieceOf,
  repeatWhile,
  set,
  setMark,
  subtract,
  when,
} from "./assembler.ts";
import { op, otherMemory, valueType } from "./operators.ts";
import {
  coveredBytes,
  imageMemory,
  mark,
  marksMemory,
  pieceBytes,
  stack,
  stackPointer,
  trackedBytes,
} from "./pieces.ts";
import { numberBytes, signedWord } from "./wasm-binary.ts";

/** `(address, length)`: marks the pieces of a range. */
export function markRangeBody(): Uint8Array {
  const [address, length] = [get(0), get(1)];
  const last = pieceOf(subtract(add(address, length), constant(1)));
  return Uint8Array.from([
    0,
    ...when(length, fillMarks(pieceOf(address), mark.written, add(subtract(last, pieceOf(address)), constant(1)))),
    op.end,
  ]);
}

/** Bytes of marks that are looked at together: one word after another when any has a mark. */
const wordBytes = 8;
const groupBytes = 64;
const vectorBytes = 16;
/** The locals of the function: what it is given, then its own. */
const [isSame, count, list, bytes, group, piece, end, isStackTaken, target, source, word] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;
const lowestPiece = Math.ceil(stack.low / pieceBytes / wordBytes) * wordBytes;
const highestPiece = Math.floor(stack.high / pieceBytes / wordBytes) * wordBytes;

function copyFromImage(to: Code, from: Code, length: number): Code {
  const copies = Array.from({ length: length / vectorBytes }, (_, index): Code => {
    const offset = numberBytes(index * vectorBytes);
    const load = [...get(source), op.vector, op.loadVector, otherMemory, imageMemory, ...offset];
    return [...get(target), ...load, op.vector, op.storeVector, 0, ...offset];
  });
  return [...to, ...set(target), ...from, ...set(source), ...copies.flat()];
}

const isFromImage = (after: number): Code => equal(markOf(get(piece), after), constant(mark.image));
const hasBits = (bits: Code): Code => [...bits, op.constantWord, 0, op.differentWord];
/** The lowest bit of each byte of a word. */
const lowBits: Code = [op.constantWord, ...signedWord(0x01_01_01_01_01_01_01_01n), op.andWord];
const written: Code = [...get(word), ...lowBits];
const marked: Code = [...get(word), ...get(word), op.constantWord, 1, op.shiftRightWord, op.orWord, ...lowBits];
const readWord: Code = [...get(group), op.loadWord, otherMemory, marksMemory, 0, ...set(word)];

/** The piece of the lowest bit. */
const firstOf = (bits: Code): Code =>
  add(get(group), [...bits, op.trailingZeros, op.wrap, ...constant(3), op.shiftRight]);

/** Whether any mark of the group is set. */
const hasMark: Code = [
  ...Array.from({ length: groupBytes / vectorBytes }, (_, index): Code => {
    const load = [...get(group), op.vector, op.loadVector, otherMemory, marksMemory, index * vectorBytes];
    return index === 0 ? load : [...load, op.vector, op.orVector];
  }).flat(),
  op.vector,
  op.anyTrue,
];

/** Frames are marked at their low end only: from the lowest mark up, the stack is taken as written. */
const takeStack: Code = when(
  both(
    both(hasBits(written), below(subtract(get(group), constant(lowestPiece)), constant(highestPiece - lowestPiece))),
    not(get(isStackTaken)),
  ),
  [...firstOf(written), ...set(piece), ...constant(1), ...set(isStackTaken)],
  fillMarks(get(piece), mark.written, subtract(constant(highestPiece + 1), get(piece))),
  readWord,
);

/** Restores the pieces of the word's bits from the base image. */
const restorePieces: Code = loop(
  when(
    hasBits(get(word)),
    [...firstOf(get(word)), ...set(piece)],
    setMark(get(piece), mark.none),
    copyFromImage(addressOf(get(piece)), addressOf(get(piece)), pieceBytes + coveredBytes),
    // The bytes after the piece were those of the image.
    when(both(get(isSame), isFromImage(1)), setMark(get(piece), mark.none, 1)),
    [...get(word), ...get(word), op.constantWord, 1, op.subtractWord, op.andWord, ...set(word), op.branch, 1],
  ),
);

const restoreWords: Code = loop(
  readWord,
  takeStack,
  [...get(isSame), op.if, valueType.i64, ...written, op.else, ...marked, op.end, ...set(word)],
  restorePieces,
  next(group, wordBytes),
  repeatWhile(below(get(group), get(end))),
);

const restoreBase: Code = loop(
  [...add(get(group), constant(groupBytes)), ...set(end)],
  when(hasMark, restoreWords),
  [...get(end), ...set(group)],
  repeatWhile(below(get(group), constant(trackedBytes / pieceBytes))),
);

/** Copies the pieces of the image that are not as it has them. */
const applyImage: Code = when(
  get(count),
  [...constant(0), ...set(group)],
  loop(
    [
      ...add(get(list), [...get(group), ...constant(2), op.shiftLeft]),
      op.load,
      otherMemory,
      imageMemory,
      0,
      ...set(end),
    ],
    [...pieceOf(get(end)), ...set(piece)],
    when(
      either(not(get(isSame)), not(isFromImage(0))),
      setMark(get(piece), mark.image),
      copyFromImage(get(end), add(get(bytes), addressOf(get(group))), pieceBytes),
    ),
    next(group, 1),
    repeatWhile(below(get(group), get(count))),
  ),
);

/**
 * `(isSame, count, list, bytes)`: copies every written piece from the base image, or every marked piece unless the memory has
 * the same image as before; then the pieces of that image, from the image memory: their addresses lie at `list`, their
 * contents at `bytes`. An exception of the host that passed through the engine's code left the stack pointer low, so that is
 * restored too.
 */
export function rewindBody(): Uint8Array {
  const { i32, i64 } = valueType;
  const raiseStack = [...constant(stack.high), op.globalSet, stackPointer];
  return Uint8Array.from([2, 6, i32, 1, i64, ...raiseStack, ...restoreBase, ...applyImage, op.end]);
}
