import { expect, test } from "vitest";

import { sha256Hex } from "../../../model/src/process/sha256.ts";
import { loadEngineCode } from "./engine-files.ts";
import { publishedEngine } from "./published-engine.ts";
import { engineHash, exportTable, heapEnd, stack, tableName } from "./engine-internals.ts";
import { createMachineLoader, initialPages, type Machine } from "./quickjs-machine.ts";
import { idleHost } from "./guest-machine.ts";
import { guestOp, hostOp } from "../ops.ts";
import { bundleText } from "../thread/bundle-text.ts";
import { wasm } from "./wasm.ts";

interface Reflected {
  readonly Module: { exports(module: object): { name: string; kind: string }[] };
}
const { Module } = (globalThis as unknown as { WebAssembly: Reflected }).WebAssembly;

async function booted(): Promise<Machine> {
  const machine = await (await createMachineLoader(await loadEngineCode())).create(initialPages);
  machine.attach(idleHost);
  machine.boot();
  return machine;
}

const isZero = (bytes: Uint8Array): boolean => Buffer.from(bytes).equals(Buffer.alloc(bytes.length));

test("the engine is the one whose inside is known; docs/engine.md says what to do when its package changes", () => {
  expect(sha256Hex(publishedEngine())).toBe(engineHash);
});

test("the engine exports its table beside its own exports", async () => {
  const published = publishedEngine();
  const [before, after] = await Promise.all([wasm.compile(published), wasm.compile(exportTable(published))]);
  expect(Module.exports(after)).toEqual([...Module.exports(before), { name: tableName, kind: "table" }]);
});

test("a module without exports is refused", () => {
  expect(() => exportTable(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).toThrow("exports nothing");
});

test("the heap begins above the stack and ends where nothing beyond was used", async () => {
  const { memory } = await booted();
  const end = heapEnd(memory);
  expect(end).toBeGreaterThan(stack.high);
  expect(isZero(new Uint8Array(memory.buffer, end))).toBe(true);
  expect(isZero(new Uint8Array(memory.buffer, end - 65_536, 65_536))).toBe(false);
});

test("the stack lies between its addresses, and is empty after it was wiped", async () => {
  const machine = await booted();
  const { memory } = machine;
  expect(isZero(new Uint8Array(memory.buffer, stack.high - 4_096, 4_096))).toBe(false);
  expect(isZero(new Uint8Array(memory.buffer, stack.low - 4_096, 4_096))).toBe(false);
  machine.wipeStack();
  expect(isZero(new Uint8Array(memory.buffer, stack.low, stack.high - stack.low))).toBe(true);
});

test("functions of the prelude have no text, and those of components have theirs", async () => {
  const own = await booted();
  const logged: string[] = [];
  own.attach({
    ...idleHost,
    dispatch(op, text) {
      if (op === hostOp.log) logged.push(text);
      return undefined;
    },
  });
  own.enter(guestOp.evaluate, "[1,2]", {
    code: bundleText("console.log([String(fetch).includes('native code'), String(() => 1 + 1)].join())"),
  });
  expect(logged.map((text) => (JSON.parse(text.split("\n")[0] ?? "") as { msg: string }).msg)).toEqual([
    "true,() => 1 + 1",
  ]);
});
