import { expect, test } from "vitest";

import { markStores } from "./marked-module.ts";
import { op, storeOf, valueType } from "./operators.ts";
import { coveredBytes, pieceBytes, stack } from "./pieces.ts";
import { empty, frameOf, tinyEngine, tinyMachine } from "./tiny-engine.cases.ts";
import { numberBytes, signedBytes } from "./wasm-binary.ts";

const { i32, i64, f32, f64 } = valueType;

/** Runs the function in new memory, and returns how much of it is not zero before and after it was restored. */
async function leftBy(body: readonly number[], address: number): Promise<{ written: number; left: number }> {
  const { memory, tracked, run } = await tinyMachine(body);
  tracked.restore(empty, empty);
  run(address);
  const written = countBytes(memory.buffer);
  tracked.restore(empty, empty);
  return { written, left: countBytes(memory.buffer) };
}

/** How many bytes are not zero. */
function countBytes(buffer: ArrayBuffer): number {
  const bytes = new Uint8Array(buffer);
  let count = 0;
  const words = new Uint32Array(buffer);
  for (let index = 0; index < words.length; index += 1) {
    if (words[index] === 0) continue;
    for (let at = 4 * index; at < 4 * index + 4; at += 1) if (bytes[at] !== 0) count += 1;
  }
  return count;
}

const address = [op.localGet, 0];
const advance = (by: number): number[] => [...address, op.constant, ...signedBytes(by), op.add, op.localSet, 0];
const number = [op.constant, ...signedBytes(-1)];
const store = (offset = 0): number[] => [...address, ...number, op.firstStore, 2, ...numberBytes(offset)];
/** A value with all bits. */
const values: Readonly<Record<number, readonly number[]>> = {
  [i32]: number,
  [i64]: [op.constantWord, 0x7f],
  [f32]: [...number, 0xbe],
  [f64]: [op.constantWord, 0x7f, 0xbf],
};
const codes = Array.from({ length: op.lastStore - op.firstStore + 1 }, (_, index) => op.firstStore + index);
const offsets = [0, 1, coveredBytes - 2, coveredBytes, 1_000, 65_533];
const addresses = [6_000_000, 6_000_128 - 1, pieceBytes * 12_000 - 1, pieceBytes * 12_000 - 3];

test.each(codes)("a store of code %i is marked wherever it begins and ends", async (code) => {
  const { type, width } = storeOf(code);
  for (const at of addresses) {
    for (const offset of offsets) {
      const known = [...address, ...(values[type] ?? []), code, 0, ...numberBytes(offset)];
      const computed = [...address, op.constant, 3, op.add, ...(values[type] ?? []), code, 0, ...numberBytes(offset)];
      for (const body of [known, computed])
        expect([at, offset, await leftBy(body, at)]).toEqual([at, offset, { written: width, left: 0 }]);
    }
  }
});

const length = [op.constant, ...signedBytes(3_000)];
const copyCode = [op.prefix, 0x0a, 0, 0];
const fillCode = [op.prefix, 0x0b, 0];
const isBelow = (limit: number): number[] => [...address, op.constant, ...signedBytes(limit), op.below];
const inFrame = (local: number, offset: number): number[] => [
  op.localGet,
  local,
  ...number,
  op.firstStore,
  2,
  ...numberBytes(offset),
];

test.each<[string, readonly number[], number]>([
  ["a fill", [...address, op.constant, 7, ...length, ...fillCode], 3_000],
  ["a copy", [...store(0), ...address, op.constant, 0, op.add, ...address, op.constant, 4, ...copyCode], 4],
  [
    "a fill of nothing at the end of memory",
    [op.constant, ...signedBytes(256 * 65_536), op.constant, 7, op.constant, 0, ...fillCode],
    0,
  ],
  ["stores to a local that moves on", [...store(), ...advance(9_000), ...store(), ...advance(9_000), ...store()], 12],
  [
    "stores in a loop after one before it",
    [...store(), op.loop, 0x40, ...store(), ...advance(8_192), ...isBelow(6_100_000), op.branchIf, 0, op.end],
    52,
  ],
  [
    "a store after a block that may have been left before its store",
    [op.block, 0x40, op.constant, 1, op.branchIf, 0, ...store(), op.end, ...store()],
    4,
  ],
  [
    "a store after a branch that did not store",
    [op.constant, 0, op.if, 0x40, ...store(), op.else, op.end, ...store()],
    4,
  ],
  [
    "a store after code that is never reached",
    [op.block, 0x40, op.branch, 0, ...store(), op.block, 0x40, op.end, op.end, ...store()],
    4,
  ],
  [
    "a value that moves the local",
    [
      ...address,
      ...address,
      op.constant,
      ...signedBytes(9_000),
      op.add,
      op.localTee,
      0,
      op.firstStore,
      2,
      0,
      ...store(),
    ],
    7,
  ],
  [
    "a frame without a change of the stack pointer",
    [...frameOf(96), op.localSet, 1, ...inFrame(1, 0), ...inFrame(1, 92)],
    8,
  ],
  [
    "a frame of several pieces",
    [...frameOf(4_096), op.localTee, 1, op.globalSet, 0, ...inFrame(1, 3_000), ...inFrame(1, 0)],
    8,
  ],
  ["the end of the first frame", [...frameOf(4_096), op.localSet, 1, ...inFrame(1, 4_092)], 4],
  [
    "a frame that a branch did not set",
    [op.constant, 0, op.if, 0x40, ...frameOf(4_096), op.localSet, 1, op.end, ...inFrame(1, 1_000)],
    4,
  ],
  [
    "more than a frame",
    [
      ...frameOf(16),
      op.localTee,
      1,
      op.globalSet,
      0,
      op.localGet,
      1,
      ...number,
      op.firstStore,
      2,
      ...numberBytes(9_000),
    ],
    4,
  ],
  [
    "a frame of a local that is assigned again",
    [...frameOf(4_096), op.localSet, 1, ...address, op.localSet, 1, ...inFrame(1, 0)],
    4,
  ],
])("%s leaves nothing", async (_what, body, written) => {
  expect(await leftBy(body, 6_000_000)).toEqual({ written, left: 0 });
});

test.each<[string, Uint8Array]>([
  ["vectors", tinyEngine([0xfd, 0x0c, ...Array<number>(16).fill(0), 0x1a])],
  ["atomic operators", tinyEngine([0xfe, 0x03, 0])],
  ["copies from data of the module", tinyEngine([op.constant, 0, op.constant, 0, op.constant, 0, op.prefix, 8, 0, 0])],
  ["a store to another memory", tinyEngine([...address, ...number, op.firstStore, 0x42, 1, 0])],
  ["another stack", tinyEngine([], stack.high + 16)],
  ["an operand too few", tinyEngine([op.add])],
])("code with %s is refused", (_what, module) => {
  expect(() => markStores(module)).toThrow(TypeError);
});
