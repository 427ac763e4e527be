import { expect, test } from "vitest";

import { publishedEngine } from "./engine-files.ts";
import { exportTable, tableName } from "./rejection-tracker.ts";
import { findTrackerWord } from "./rejection-tracker.ts";
import { wasm } from "./wasm.ts";

interface Reflected {
  readonly Module: { exports(module: object): { name: string; kind: string }[] };
}
const { Module } = (globalThis as unknown as { WebAssembly: Reflected }).WebAssembly;

test("the engine exports its table beside its own exports", async () => {
  const published = publishedEngine();
  const [before, after] = await Promise.all([wasm.compile(published), wasm.compile(exportTable(published))]);
  expect(Module.exports(after)).toEqual([...Module.exports(before), { name: tableName, kind: "table" }]);
});

test("a module without exports is unchanged", () => {
  const empty = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  expect(exportTable(empty)).toBe(empty);
});

test("the word of the tracker is found only by the words around it", () => {
  const memory = new ArrayBuffer(256);
  const words = new Uint32Array(memory, 64, 16);
  const before = words.slice();
  expect(findTrackerWord(before, words)).toBeUndefined();
  words[3] = 49;
  expect(findTrackerWord(before, words)).toBeUndefined();
  const jobs = 64 + 7 * 4;
  words.set([jobs, jobs], 7);
  expect(findTrackerWord(before, words)).toBe(5);
  words[5] = 1;
  expect(findTrackerWord(before, words)).toBeUndefined();
});
