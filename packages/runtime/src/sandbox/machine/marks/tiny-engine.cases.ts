import { wasm, type WasmMemory } from "../wasm.ts";
import { ImageMemory } from "./image-memory.ts";
import { markStores } from "./marked-module.ts";
import { op, valueType } from "./operators.ts";
import { stack } from "./pieces.ts";
import { TrackedMemory } from "./tracked-memory.ts";
import { numberBytes, signedBytes } from "./wasm-binary.ts";

const { i32, i64, f32, f64 } = valueType;
const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, content: readonly number[]): number[] => [id, ...numberBytes(content.length), ...content];
/** Locals of the function: its address, two more addresses, and a value of each other type. */
const locals = [2, i32, 1, i64, 1, f32, 1, f64];
const pages = 256;

/** An engine of one function, which takes an address. */
export function tinyEngine(body: readonly number[], stackHigh: number = stack.high): Uint8Array {
  const code = [4, ...locals, ...body, op.end];
  return Uint8Array.from([
    ...header,
    ...section(1, [1, 0x60, 1, i32, 0]),
    ...section(2, [1, 1, 0x61, 1, 0x61, 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(6, [1, i32, 1, op.constant, ...signedBytes(stackHigh), op.end]),
    ...section(7, [1, 3, 0x72, 0x75, 0x6e, 0, 0]),
    ...section(10, [1, ...numberBytes(code.length), ...code]),
  ]);
}

export interface TinyMachine {
  readonly memory: WasmMemory;
  readonly tracked: TrackedMemory;
  run(address: number): void;
}

/** A machine of such an engine. */
export async function tinyMachine(body: readonly number[], images = new ImageMemory()): Promise<TinyMachine> {
  const memory = new wasm.Memory({ initial: pages, maximum: pages });
  const tracked = new TrackedMemory(memory, pages, images);
  const module = await wasm.compile(markStores(tinyEngine(body)));
  const instance = new wasm.Instance(module, { a: { a: memory }, ...tracked.imports });
  tracked.attach(instance);
  const { run } = instance.exports as { run(address: number): void };
  return { memory, tracked, run };
}

/** An image without bytes. */
export const empty = { bytes: new ArrayBuffer(0), own: new Uint32Array(0) };

/** The stack pointer less a size. */
export const frameOf = (size: number): number[] => [op.globalGet, 0, op.constant, ...signedBytes(size), op.subtract];
