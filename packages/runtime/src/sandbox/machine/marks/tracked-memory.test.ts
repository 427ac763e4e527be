import { expect, test } from "vitest";

import { type RunBytes, writeRuns } from "../runs.ts";
import { ImageMemory } from "./image-memory.ts";
import { op } from "./operators.ts";
import { pieceBytes, stack } from "./pieces.ts";
import { empty, frameOf, tinyMachine } from "./tiny-engine.cases.ts";
import { signedBytes } from "./wasm-binary.ts";

/** Stores -1 at the address that a local has. */
const storeAt = (local: number): number[] => [op.localGet, local, op.constant, 0x7f, op.firstStore, 0, 0];
/** The function is given the address. */
const storeWord = storeAt(0);
const first = 12_000;

/** An image of whole pieces, all bytes of which have one value. */
function imageOf(value: number, ...pieces: readonly number[]): RunBytes {
  const own = Uint32Array.from(pieces.flatMap((piece) => [(first + piece) * pieceBytes, pieceBytes]));
  return { bytes: new Uint8Array(pieces.length * pieceBytes).fill(value).buffer, own };
}

const firstWritten = (buffer: ArrayBuffer): number => new Uint8Array(buffer).findIndex((byte) => byte !== 0);

/** Where the memory is not that of the images; -1 nowhere. */
function differenceOf(buffer: ArrayBuffer, ...images: readonly RunBytes[]): number {
  const expected = new Uint8Array(buffer.byteLength);
  for (const image of images) writeRuns(image, expected);
  if (Buffer.from(buffer).equals(expected)) return -1;
  const found = new Uint8Array(buffer);
  return expected.findIndex((byte, index) => byte !== found[index]);
}

test("a stack pointer that was not put back, as by an exception of the host, is restored", async () => {
  const body = [...frameOf(4_096), op.localTee, 1, op.globalSet, 0, ...storeAt(1)];
  const { memory, tracked, run } = await tinyMachine(body);
  const found: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    tracked.restore(empty, empty);
    run(0);
    found.push(firstWritten(memory.buffer));
  }
  expect(found).toEqual(Array(3).fill(stack.high - 4_096));
});

test.each<[string, readonly number[]]>([
  ["a computed size", [op.globalGet, 0, op.localGet, 0, op.subtract, op.globalSet, 0]],
  [
    "another size than that of the frame",
    [...frameOf(16), op.localSet, 1, op.localGet, 1, op.constant, ...signedBytes(-4_096), op.add, op.globalSet, 0],
  ],
])("what the host writes to stack that the engine made room for, of %s, is restored", async (_what, body) => {
  const { memory, tracked, run } = await tinyMachine(body);
  tracked.restore(empty, empty);
  run(4_096);
  new Uint8Array(memory.buffer).fill(7, stack.high - 4_096, stack.high);
  tracked.restore(empty, empty);
  expect(firstWritten(memory.buffer)).toBe(-1);
});

test("images by turns leave nothing of each other or of what was written", async () => {
  const base = imageOf(1, -1, 0, 1, 2, 3);
  const [one, other] = [imageOf(2, 0, 1, 3, 8), imageOf(3, 1, 2, 9)];
  const { memory, tracked, run } = await tinyMachine(storeWord);
  for (const image of [one, one, other, one, base, other, other, base, base, one]) {
    for (let piece = -2; piece < 10; piece += 1) {
      tracked.restore(image, base);
      expect([piece, differenceOf(memory.buffer, base, image)]).toEqual([piece, -1]);
      run((first + piece) * pieceBytes + 100);
      run((first + piece) * pieceBytes - 2);
    }
  }
});

test("images that are staged when they repeat leave nothing of each other", async () => {
  const base = imageOf(1, -1, 0, 1);
  const large = 1024 * 1024;
  const pieces = Array.from({ length: large / pieceBytes + 1 }, (_, index) => index);
  const [small, one, other] = [
    imageOf(2, 0, 8),
    imageOf(3, ...pieces),
    imageOf(4, ...pieces.map((piece) => piece + 1)),
  ];
  const { memory, tracked, run } = await tinyMachine(storeWord);
  for (const [round, image] of [one, one, one, other, one, small, one, one, base, one, other, other, other].entries()) {
    tracked.restore(image, base);
    expect([round, differenceOf(memory.buffer, base, image)]).toEqual([round, -1]);
    for (const piece of [-1, 0, 1, 8, 1_000, large / pieceBytes + 1]) run((first + piece) * pieceBytes + 100);
  }
});

test("machines with different base images are restored from their own", async () => {
  const images = new ImageMemory();
  const bases = [imageOf(1, 0, 1), imageOf(2, 1, 2)];
  const machines = await Promise.all(bases.map(() => tinyMachine(storeWord, images)));
  for (let round = 0; round < 3; round += 1) {
    for (const [index, { memory, tracked, run }] of machines.entries()) {
      const base = bases[index] ?? empty;
      tracked.restore(base, base);
      expect([round, differenceOf(memory.buffer, base)]).toEqual([round, -1]);
      for (let piece = 0; piece < 3; piece += 1) run((first + piece) * pieceBytes);
    }
  }
});
