import { nameBytes, sectionId, WasmSections } from "./marks/wasm-binary.ts";
import { wasm, type WasmInstance, type WasmModule, type WasmTable } from "./wasm.ts";

/** The name under which `exportTable` exports a module's table of functions; longer than all other names. */
export const tableName = "functions";

const tableKind = 1;

/** A WebAssembly module that also exports its table of functions. A module without exports is returned unchanged. */
export function exportTable(module: Uint8Array): Uint8Array {
  const sections = new WasmSections(module);
  if (!sections.has(sectionId.export)) return module;
  sections.append(sectionId.export, [[...nameBytes(tableName), tableKind, 0]]);
  return sections.bytes();
}

/** Receives a promise that was rejected without a handler, or a reported one that got a handler. Values are the engine's. */
type RejectionListener = (promise: bigint, reason: bigint, isHandled: boolean) => void;

type Tracker = (ctx: number, promise: bigint, reason: bigint, isHandled: number, opaque: number) => void;

/** `(module (import "x" "t" (func (param i32 i64 i64 i32 i32))) (export "t" (func 0)))`: turns a JavaScript function into one of WebAssembly. */
const wrapper = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 1, 0x60, 5, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0, 2, 7, 1, 1, 0x78, 1, 0x74, 0, 0,
  7, 5, 1, 1, 0x74, 0, 0,
]);

/** Returns a function that adds a rejection tracker to an instance's table, and returns its index. */
export async function createTrackerMaker(): Promise<(instance: WasmInstance, report: RejectionListener) => number> {
  const module: WasmModule = await wasm.compile(wrapper);
  return (instance, report) => {
    const tracker: Tracker = (_ctx, promise, reason, isHandled) => report(promise, reason, isHandled !== 0);
    const { exports } = new wasm.Instance(module, { x: { t: tracker } });
    const { [tableName]: table } = instance.exports as { [tableName]: WasmTable };
    const index = table.grow(1);
    table.set(index, (exports as { t: Tracker }).t);
    return index;
  };
}

export const runtimeBytes = 1024;
const wordBytes = 4;

/** The words of an engine's runtime, as a view of its memory. */
export const runtimeWords = (memory: ArrayBuffer, rt: number): Uint32Array =>
  new Uint32Array(memory, rt, runtimeBytes / wordBytes);

/**
 * The word of a runtime that holds its rejection tracker: after the interrupt handler, which `before` lacks, and its
 * argument; before the list of jobs, which begins with two pointers to itself. Undefined for any other layout.
 */
export function findTrackerWord(before: Uint32Array, after: Uint32Array): number | undefined {
  const handler = after.findIndex((word, index) => word !== before[index]);
  const [tracker, jobs] = [handler + 2, handler + 4];
  const jobsAddress = after.byteOffset + jobs * wordBytes;
  const isList = after[jobs] === jobsAddress && after[jobs + 1] === jobsAddress;
  return handler >= 0 && after[tracker] === 0 && isList ? tracker : undefined;
}
