import { tableName } from "./exported-table.ts";
import { wasm, type WasmInstance, type WasmModule, type WasmTable } from "./wasm.ts";

/** Hears that a promise was rejected while nobody handled it, or that such a one is handled now. Values are the engine's. */
export type HearRejection = (promise: bigint, reason: bigint, isHandled: boolean) => void;

type Tracker = (ctx: number, promise: bigint, reason: bigint, isHandled: number, opaque: number) => void;

/** `(module (import "x" "t" (func (param i32 i64 i64 i32 i32))) (export "t" (func 0)))`: makes it a function of WebAssembly. */
const wrapper = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 1, 0x60, 5, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0, 2, 7, 1, 1, 0x78, 1, 0x74, 0, 0,
  7, 5, 1, 1, 0x74, 0, 0,
]);

/** Gives each instance of the engine a function that its runtimes can call. */
export async function createTrackerMaker(): Promise<(instance: WasmInstance, hear: HearRejection) => number> {
  const module: WasmModule = await wasm.compile(wrapper);
  return (instance, hear) => {
    const tracker: Tracker = (_ctx, promise, reason, isHandled) => hear(promise, reason, isHandled !== 0);
    const { exports } = new wasm.Instance(module, { x: { t: tracker } });
    const { [tableName]: table } = instance.exports as { [tableName]: WasmTable };
    const index = table.grow(1);
    table.set(index, (exports as { t: Tracker }).t);
    return index;
  };
}

const runtimeBytes = 1024;
const wordBytes = 4;

/** The words of a runtime of the engine; a view of its memory. */
export const runtimeWords = (memory: ArrayBuffer, rt: number): Uint32Array =>
  new Uint32Array(memory, rt, runtimeBytes / wordBytes);

/**
 * Where a runtime keeps the index of its tracker, counted in words: after the interrupt handler, which `before` has not yet,
 * and its argument; before the list of jobs, which begins with two pointers to itself. Undefined when it looks otherwise.
 */
export function findTrackerWord(before: Uint32Array, after: Uint32Array): number | undefined {
  const handler = after.findIndex((word, index) => word !== before[index]);
  const [tracker, jobs] = [handler + 2, handler + 4];
  const jobsAddress = after.byteOffset + jobs * wordBytes;
  const isList = after[jobs] === jobsAddress && after[jobs + 1] === jobsAddress;
  return handler >= 0 && after[tracker] === 0 && isList ? tracker : undefined;
}
